/* SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "vulkan.h"
#include "vulkan_instance.h"
#include "vulkan_layer.h"

#define KEPT 50

static struct {
    pthread_mutex_t mutex;
    struct adi_vulkan_message kept[KEPT];
    size_t first, count;
    char first_error[256];
} messages = {.mutex = PTHREAD_MUTEX_INITIALIZER};

static VkDebugUtilsMessengerEXT messenger;

bool adi_vulkan_message_take(struct adi_vulkan_message *out) {
    pthread_mutex_lock(&messages.mutex);
    bool any = messages.count > 0;
    if (any) {
        *out = messages.kept[messages.first];
        messages.first = (messages.first + 1) % KEPT;
        messages.count--;
    }
    pthread_mutex_unlock(&messages.mutex);
    return any;
}

const char *adi_vulkan_messenger_first_error(void) {
    static char text[sizeof messages.first_error];
    pthread_mutex_lock(&messages.mutex);
    memcpy(text, messages.first_error, sizeof text);
    messages.first_error[0] = '\0';
    pthread_mutex_unlock(&messages.mutex);
    return text;
}

/* Tells the interceptor, which knows whose call it was: the sentence alone, without the handles. */
static void tell(const char *id, const char *text) {
    const struct adi_vulkan_layer *layer = adi_vulkan_layer();
    char sentence[512];
    const char *next;
    if (layer == NULL) return;
    while ((next = strstr(text, " | ")) != NULL) text = next + 3;
    snprintf(sentence, sizeof sentence, "%s: %s", id, text);
    layer->say(sentence);
}

/* What the loader says in general is only kept for the sentence about a failure: it warns of any
 * driver that does not fit the machine. */
static VkBool32 VKAPI_PTR on_message(VkDebugUtilsMessageSeverityFlagBitsEXT severity,
                                     VkDebugUtilsMessageTypeFlagsEXT types,
                                     const VkDebugUtilsMessengerCallbackDataEXT *said,
                                     void *unused) {
    bool error = severity >= VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT;
    const char *text = said->pMessage == NULL ? "" : said->pMessage;
    (void)unused;
    pthread_mutex_lock(&messages.mutex);
    if (error && messages.first_error[0] == '\0')
        snprintf(messages.first_error, sizeof messages.first_error, "%s", text);
    if ((types & VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT) != 0 && messages.count < KEPT) {
        struct adi_vulkan_message *to = &messages.kept[(messages.first + messages.count++) % KEPT];
        to->error = error;
        snprintf(to->id, sizeof to->id, "%s",
                 said->pMessageIdName == NULL ? "" : said->pMessageIdName);
        snprintf(to->text, sizeof to->text, "%s", text);
    }
    pthread_mutex_unlock(&messages.mutex);
    if (error && (types & VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT) != 0)
        tell(said->pMessageIdName == NULL ? "" : said->pMessageIdName, text);
    return VK_FALSE;
}

const void *adi_vulkan_messenger_info(void) {
    static const VkDebugUtilsMessengerCreateInfoEXT info = {
        .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT,
        .messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT |
                           VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT,
        .messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_GENERAL_BIT_EXT |
                       VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT,
        .pfnUserCallback = on_message,
    };
    return &info;
}

static PFN_vkVoidFunction call(VkInstance instance, const char *name) {
    return adi_vk.GetInstanceProcAddr(instance, name);
}

void adi_vulkan_messenger_open(VkInstance instance) {
    PFN_vkCreateDebugUtilsMessengerEXT create =
        (PFN_vkCreateDebugUtilsMessengerEXT)call(instance, "vkCreateDebugUtilsMessengerEXT");
    if (create != NULL) create(instance, adi_vulkan_messenger_info(), NULL, &messenger);
}

void adi_vulkan_messenger_close(VkInstance instance) {
    PFN_vkDestroyDebugUtilsMessengerEXT destroy =
        (PFN_vkDestroyDebugUtilsMessengerEXT)call(instance, "vkDestroyDebugUtilsMessengerEXT");
    if (destroy != NULL) destroy(instance, messenger, NULL);
    messenger = VK_NULL_HANDLE;
}

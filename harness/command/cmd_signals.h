/* SPDX-License-Identifier: Apache-2.0
 *
 * Signals that reach the command while implementations are judged.
 */
#ifndef ADI_CMD_SIGNALS_H
#define ADI_CMD_SIGNALS_H

/* From now on SIGINT, SIGTERM, SIGQUIT and, unless it is ignored (nohup), SIGHUP call `stop`, in
 * the handler, and other signals that would end the process do nothing. What a process below this
 * one sends is ignored: an implementation does not decide when its run is over. */
void adi_signals_catch(void (*stop)(void));

/* The same, and leaves other signals to the implementation, which shares this process. */
void adi_signals_catch_ends(void (*stop)(void));

#endif /* ADI_CMD_SIGNALS_H */

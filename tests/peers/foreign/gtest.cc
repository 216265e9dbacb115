/* SPDX-License-Identifier: Apache-2.0
 *
 * Plays tests of GoogleTest as play.py does those of unittest, with the same arguments.
 */
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdio>
#include <fstream>
#include <string>

namespace {

class Told : public testing::EmptyTestEventListener {
  public:
    Told(const char *results, const char *log) : file_(fopen(results, "a")), log_(log) {}

    void tell(const std::string &key, const std::string &name, const std::string &more) {
        struct stat known = {};
        stat(log_, &known);
        fprintf(file_, "{\"%s\": \"%s\", \"at\": %lld%s}\n", key.c_str(), name.c_str(),
                static_cast<long long>(known.st_size), more.c_str());
        fflush(file_);
    }

    void OnTestStart(const testing::TestInfo &test) override {
        why_.clear();
        tell("test", id(test), "");
    }

    void OnTestPartResult(const testing::TestPartResult &part) override {
        if (part.passed()) return;
        for (char c : std::string(part.summary()))
            why_ += c == '"' || c == '\\' || c < ' ' ? ' ' : c;
        why_ += ' ';
    }

    void OnTestEnd(const testing::TestInfo &test) override {
        const testing::TestResult &result = *test.result();
        const char *is = result.Failed() ? "failed" : result.Skipped() ? "skipped" : "passed";
        tell("test", id(test), std::string(", \"is\": \"") + is + "\", \"why\": \"" + why_ + "\"");
    }

  private:
    static std::string id(const testing::TestInfo &test) {
        return std::string(test.test_suite_name()) + "." + test.name();
    }

    FILE *file_;
    const char *log_;
    std::string why_;
};

} // namespace

int main(int argc, char **argv) {
    testing::InitGoogleTest(&argc, argv);
    if (argc != 5) return 2;
    std::string filter = "*-", line;
    for (std::ifstream done(argv[4]); std::getline(done, line);) filter += line + ":";
    testing::GTEST_FLAG(filter) = filter;
    auto *told = new Told(argv[2], argv[3]);
    testing::UnitTest::GetInstance()->listeners().Append(told);
    const int ended = RUN_ALL_TESTS();
    told->tell("end", argv[1], "");
    return ended > 1; // 1: a test has failed, which is told
}

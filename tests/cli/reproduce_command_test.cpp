// `asperity reproduce`: a gallery and its facts, or nothing.
#include <nlohmann/json.hpp>

#include "cli/program.hpp"

namespace {

using Reproduce = ProgramTest;

TEST_F(Reproduce, ListsWhatThereIs) {
  const Answer answer = run("reproduce --list");
  EXPECT_EQ(answer.exit_code, 0);
  for (const char* id : {"xiong2013-fig-3.4 ", "xiong2013-fig-5.8 ", "xiong2012-example-2 ", "specker2014-fig-11 ",
                         "kikuuwe_fujimoto-fig-6 ", "kikuuwe_yamamoto-simulation-3 "})
    EXPECT_NE(answer.out.find(id), std::string::npos) << id;
  EXPECT_TRUE(files().empty());
}

TEST_F(Reproduce, WritesTheGalleryAndTheFacts) {
  const Answer answer = run("reproduce xiong2013-fig-3.6 -o papers --json");
  EXPECT_EQ(answer.exit_code, 0) << answer.err;
  EXPECT_EQ(answer.out, read("papers/facts.json"));
  const auto facts = nlohmann::json::parse(answer.out);
  int judged = 0;
  for (const auto& fact : facts) {
    EXPECT_EQ(fact["id"], "xiong2013-fig-3.6");
    for (const char* key : {"fact", "unit", "value", "expected", "tolerance", "verdict", "source"}) EXPECT_TRUE(fact.contains(key));
    if (fact["expected"].is_null()) continue;
    ++judged;
    EXPECT_EQ(fact["verdict"], "passed");
    EXPECT_NEAR(fact["value"], fact["expected"], fact["tolerance"].get<double>()) << fact;
  }
  EXPECT_GT(judged, 4);
  EXPECT_NE(read("papers/index.html").find("Fig. 3.6"), std::string::npos);
  EXPECT_NE(read("papers/figures/xiong2013-fig-3.6-1.svg").find("<svg"), std::string::npos);
}

TEST_F(Reproduce, RefusesWhatItDoesNotKnow) {
  const Answer answer = run("reproduce xiong-fig-3.6 fig");
  EXPECT_EQ(answer.exit_code, 2);
  EXPECT_NE(answer.err.find("\"xiong-fig-3.6\"; did you mean xiong2013-fig-3.6?\n"), std::string::npos) << answer.err;
  EXPECT_NE(answer.err.find("\"fig\""), std::string::npos) << answer.err;
  EXPECT_EQ(run("reproduce").exit_code, 2);
  EXPECT_TRUE(files().empty());
}

TEST_F(Reproduce, LeavesPagesOfOthersAlone) {
  std::filesystem::create_directory(folder_ / "work" / "site");
  write("site/index.html", "<h1>mine</h1>");
  const Answer answer = run("reproduce xiong2013-fig-3.6 -o site");
  EXPECT_EQ(answer.exit_code, 2);
  EXPECT_NE(answer.err.find("site/index.html: is not a page of Asperity"), std::string::npos) << answer.err;
  EXPECT_EQ(read("site/index.html"), "<h1>mine</h1>");
}

}  // namespace

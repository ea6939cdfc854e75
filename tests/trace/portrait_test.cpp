// Pages and portraits of laws: every law has them, from what it says of itself.
#include "asperity/trace/portrait.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "asperity/trace/describe.hpp"

namespace asperity {
namespace {

using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

double largest(const plot::Line& line) {
  double most = 0;
  for (const double y : line.y) most = std::max(most, std::abs(y));
  return most;
}

// Friction that slides has its limit F, on both panels, slow and fast.
TEST(Portrait, OfSlidingFrictionShowsItsLimit) {
  const auto law = make_law("single_state");
  law->set("F", {3});
  const plot::Figure figure = portrait(*law);
  EXPECT_EQ(figure.title, "single_state");
  ASSERT_EQ(figure.panels.size(), 2U);
  for (const plot::Panel& panel : figure.panels) {
    ASSERT_EQ(panel.lines.size(), 2U);
    for (const plot::Line& line : panel.lines) EXPECT_NEAR(largest(line), 3, 1e-9);
  }
}

// A contact without damping has one curve, however fast it is.
TEST(Portrait, OfAContactWithoutDampingDoesNotDependOnTheRate) {
  const plot::Panel panel = portrait(*make_law("hertz")).panels.at(0);
  EXPECT_NEAR(largest(panel.lines.at(0)) / largest(panel.lines.at(1)), 1, 1e-9);
}

TEST(Portrait, EveryLawIsDrawnAndTheDrawingCanBeStopped) {
  const auto names = law_names();
  std::vector<std::string> reported;
  std::size_t asked = 0;
  const auto two = portraits({.progress =
                                  [&](const Progress& now) {
                                    EXPECT_EQ(now.all, double(names.size()));
                                    reported.emplace_back(now.what);
                                  },
                              .stop = [&] { return asked++ == 2; }});
  ASSERT_EQ(two.size(), 2U);
  EXPECT_EQ(reported.at(0), names.at(0));
  EXPECT_EQ(two[1].law->about().name, names.at(1));

  const fs::path folder = fs::path(::testing::TempDir()) / "asperity_portraits" / "inner";
  fs::remove_all(folder);
  EXPECT_FALSE(write_portraits(two, folder.string()));
  EXPECT_TRUE(fs::exists(folder / "index.html"));
  EXPECT_TRUE(fs::exists(folder / (names[0] + ".svg")));
  EXPECT_FALSE(fs::exists(folder / (names[2] + ".svg")));
  EXPECT_NE(page_of(two).find("id=\"" + names[1] + "\""), std::string::npos);
  fs::remove_all(folder.parent_path());
  EXPECT_EQ(write_portraits(two, "/dev/null/folder"), "/dev/null/folder: cannot write: Not a directory");
}

TEST(LawPage, SaysWhatTheLawSays) {
  const auto pages = law_pages();
  ASSERT_EQ(pages.size(), law_names().size());
  const Json list = Json::parse(list_json(pages)).at("laws");
  for (std::size_t i = 0; i < pages.size(); ++i) {
    const LawPage& page = pages[i];
    const auto law = make_law(page.about.name);
    EXPECT_EQ(page.dimensions, law->highest_dimension());
    EXPECT_EQ(page.states.size(), law->states().size());
    EXPECT_EQ(page.parameters.size(), law->parameters().size());
    EXPECT_EQ(list[i].at("name"), page.about.name);
    const Json json = Json::parse(to_json(page));
    EXPECT_EQ(json.at("name"), page.about.name);
    EXPECT_EQ(json.at("exceptions").size(), page.exceptions.size());
    EXPECT_NE(to_text(page).find(page.example), std::string::npos);
    EXPECT_NE(list_text(pages).find("  " + std::string(page.about.name) + " "), std::string::npos);
  }
}

// The parameters of a page are those of the law, not those of the catalogue.
TEST(LawPage, HasTheParametersThatTheLawHas) {
  const auto law = make_law("single_state");
  law->set("F", {3});
  EXPECT_EQ(Json::parse(to_json(page_of(*law))).at("parameters").at(0).at("default"), 3);
}

TEST(LawPage, KeepsToTheWidth) {
  for (const LawPage& page : law_pages()) {
    const std::string text = to_text(page, 80);
    const std::size_t end = text.find("\nuse it for");
    for (std::size_t at = end + 1, next = 0; at < text.find("\nTry: "); at = next + 1) {
      next = text.find('\n', at);
      EXPECT_LE(next - at, 80U) << text.substr(at, next - at);
    }
  }
}

}  // namespace
}  // namespace asperity

// table.h5: one dataset for each column, and the problems as a list of points and texts, which is short.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <stdexcept>
#include <utility>

#include "files/hdf5_handle.hpp"
#include "table.hpp"

namespace asperity::study {
namespace {

namespace fs = std::filesystem;
using files::Hdf5Handle;
using files::put_text;

constexpr std::size_t most_problems = 100000;  // the first ones; table.csv has all

class Hdf5Table final : public TableWriter {
 public:
  Hdf5Table(const Plan& plan, std::string path, std::uint64_t rows)
      : plan_(plan), rows_(rows), path_(std::move(path)), beside_(fmt::format("{}.{}.partial", path_, getpid())) {
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
    std::error_code ignored;
    fs::remove(beside_, ignored);
    const Hdf5Handle order(H5Pcreate(H5P_FILE_CREATE), H5Pclose);
    H5Pset_link_creation_order(order, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED);
    H5Pset_obj_track_times(order, false);  // the same study makes the same file
    file_ = std::make_unique<Hdf5Handle>(H5Fcreate(beside_.c_str(), H5F_ACC_EXCL, order, H5P_DEFAULT), H5Fclose);
    require(file_->good() && put_text(*file_, "title", plan.title));
    for (const Axis& axis : plan.axes) {
      column(axis.path, axis.unit);
      std::string words;
      for (const std::string& word : axis.words) words += (words.empty() ? "" : "\n") + word;
      if (!words.empty()) require(put_text(columns_.back(), "words", words));
    }
    for (const Measure& measure : plan.measures) {
      column(measure.name, "");
      require(put_text(columns_.back(), "formula", measure.formula));
    }
    column("verdict", "");
    std::string words;
    for (std::size_t i = 0; i < trust_levels; ++i) words += (i == 0 ? "" : "\n") + std::string(to_text(Trust(i)));
    require(put_text(columns_.back(), "words", words));
  }

  ~Hdf5Table() override {
    columns_.clear();
    file_.reset();
    std::error_code ignored;
    fs::remove(beside_, ignored);
  }

  void add(std::uint64_t first, std::span<const double> values, std::span<const Result> results) override {
    const std::size_t axes = plan_.axes.size(), measures = plan_.measures.size();
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      numbers_.clear();
      for (std::size_t i = 0; i < results.size(); ++i)
        numbers_.push_back(c < axes              ? values[i * axes + c]
                           : c < axes + measures ? plain(results[i].measures[c - axes])
                                                 : double(results[i].trust));
      const hsize_t start = first, count = numbers_.size();
      const Hdf5Handle memory(H5Screate_simple(1, &count, nullptr), H5Sclose), part(H5Dget_space(columns_[c]), H5Sclose);
      require(H5Sselect_hyperslab(part, H5S_SELECT_SET, &start, nullptr, &count, nullptr) >= 0 &&
              H5Dwrite(columns_[c], H5T_NATIVE_DOUBLE, memory, part, H5P_DEFAULT, numbers_.data()) >= 0);
    }
    for (std::size_t i = 0; i < results.size(); ++i) {
      if (results[i].problem.empty() || problem_points_.size() >= most_problems) continue;
      problem_points_.push_back(double(first + i));
      problem_texts_.push_back(results[i].problem);
    }
  }

  void commit() override {
    if (!problem_points_.empty()) put_problems();
    bool good = true;
    for (Hdf5Handle& one : columns_) good = one.close() && good;
    good = file_->close() && good;
    require(good);
    std::error_code error;
    fs::rename(beside_, path_, error);
    if (error) throw std::runtime_error(fmt::format("{}: cannot write: {}", path_, error.message()));
  }

 private:
  void require(bool good) const {
    if (!good) throw std::runtime_error(fmt::format("{}: cannot write: the disk may be full", path_));
  }
  /// Every NaN with the same bits.
  static double plain(double x) { return x != x ? std::numeric_limits<double>::quiet_NaN() : x; }

  void column(const std::string& name, const std::string& unit) {
    const hsize_t rows = rows_, chunk = std::min<hsize_t>(std::max<hsize_t>(rows, 1), 4096);
    const Hdf5Handle space(H5Screate_simple(1, &rows, nullptr), H5Sclose), layout(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
    H5Pset_chunk(layout, 1, &chunk);
    H5Pset_obj_track_times(layout, false);
    H5Pset_shuffle(layout);
    H5Pset_deflate(layout, 1);
    columns_.emplace_back(H5Dcreate2(*file_, name.c_str(), H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, layout, H5P_DEFAULT), H5Dclose);
    require(columns_.back().good() && put_text(columns_.back(), "name", name) && put_text(columns_.back(), "unit", unit));
  }

  void put_problems() {
    const Hdf5Handle made(H5Pcreate(H5P_GROUP_CREATE), H5Pclose);
    H5Pset_obj_track_times(made, false);
    const Hdf5Handle group(H5Gcreate2(*file_, "problems", H5P_DEFAULT, made, H5P_DEFAULT), H5Gclose);
    require(group.good());
    std::size_t longest = 1;
    for (const std::string& text : problem_texts_) longest = std::max(longest, text.size());
    std::string all(longest * problem_texts_.size(), '\0');
    for (std::size_t i = 0; i < problem_texts_.size(); ++i) problem_texts_[i].copy(all.data() + i * longest, longest);
    const Hdf5Handle text(H5Tcopy(H5T_C_S1), H5Tclose);
    H5Tset_size(text, longest);
    H5Tset_strpad(text, H5T_STR_NULLPAD);
    H5Tset_cset(text, H5T_CSET_UTF8);
    const hsize_t rows = problem_points_.size(), chunk = std::min<hsize_t>(rows, 1024);
    const Hdf5Handle space(H5Screate_simple(1, &rows, nullptr), H5Sclose), layout(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
    H5Pset_chunk(layout, 1, &chunk);
    H5Pset_obj_track_times(layout, false);
    H5Pset_deflate(layout, 1);
    const Hdf5Handle points(H5Dcreate2(group, "point", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, layout, H5P_DEFAULT), H5Dclose);
    const Hdf5Handle texts(H5Dcreate2(group, "text", text, space, H5P_DEFAULT, layout, H5P_DEFAULT), H5Dclose);
    require(points.good() && texts.good() &&
            H5Dwrite(points, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, problem_points_.data()) >= 0 &&
            H5Dwrite(texts, text, H5S_ALL, H5S_ALL, H5P_DEFAULT, all.data()) >= 0);
  }

  const Plan& plan_;
  std::uint64_t rows_;
  std::string path_, beside_;
  std::unique_ptr<Hdf5Handle> file_;
  std::vector<Hdf5Handle> columns_;
  std::vector<double> numbers_, problem_points_;
  std::vector<std::string> problem_texts_;
};

}  // namespace

std::unique_ptr<TableWriter> hdf5_table(const Plan& plan, const std::string& path, std::uint64_t rows) {
  return std::make_unique<Hdf5Table>(plan, path, rows);
}

}  // namespace asperity::study

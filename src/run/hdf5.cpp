// Rows in HDF5: one extensible dataset a column, compressed chunk by chunk. See rows.hpp for where the rows are meanwhile.
#include "hdf5.hpp"

#include <fmt/format.h>
#include <hdf5.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <stdexcept>
#include <utility>

#include "asperity/run/sink.hpp"
#include "rows.hpp"

namespace asperity {
namespace {

namespace fs = std::filesystem;
using detail::RowsHeader;
using detail::RowsReader;

constexpr std::uint64_t chunk = 1024;  // rows

[[noreturn]] void refuse(const std::string& path, const std::string& what) { throw std::runtime_error(path + ": " + what); }
std::string reason() { return errno ? std::strerror(errno) : "the output failed"; }

/// A handle that closes itself.
class Handle {
 public:
  Handle(hid_t id, herr_t (*release)(hid_t)) : id_(id), close_(release) {}
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
  Handle& operator=(Handle&&) = delete;
  ~Handle() { close(); }
  bool close() { return id_ < 0 || close_(std::exchange(id_, -1)) >= 0; }
  /// HDF5 1.10 may crash when it closes what it could not write.
  void abandon() noexcept { id_ = -1; }
  operator hid_t() const noexcept { return id_; }
  bool good() const noexcept { return id_ >= 0; }

 private:
  hid_t id_;
  herr_t (*close_)(hid_t);
};

/// HDF5 prints its troubles to standard error, and closes what is open when the program ends; both are ours to do.
void set_up() {
  H5dont_atexit();
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

bool put_text(hid_t object, const char* name, const std::string& text) {
  const Handle type(H5Tcopy(H5T_C_S1), H5Tclose), space(H5Screate(H5S_SCALAR), H5Sclose);
  H5Tset_size(type, text.size() + 1);
  H5Tset_cset(type, H5T_CSET_UTF8);
  const Handle attribute(H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  return attribute.good() && H5Awrite(attribute, type, text.c_str()) >= 0;
}

std::string get_text(hid_t object, const char* name) {
  if (H5Aexists(object, name) <= 0) return "";
  const Handle attribute(H5Aopen(object, name, H5P_DEFAULT), H5Aclose), type(H5Aget_type(attribute), H5Tclose);
  if (!attribute.good() || H5Tget_class(type) != H5T_STRING || H5Tis_variable_str(type) > 0) return "";
  std::string text(H5Tget_size(type), '\0');
  if (H5Aread(attribute, type, text.data()) < 0) return "";
  return text.substr(0, text.find('\0'));
}

// --- written at once -------------------------------------------------------------------------------------------------------------

void write_columns(hid_t file, RowsReader& rows, std::vector<Handle>& datasets, bool& good) {
  const hsize_t none = 0, any = H5S_UNLIMITED, size = rows.rows(), rows_of_chunk = chunk;
  const Handle space(H5Screate_simple(1, &none, &any), H5Sclose), layout(H5Pcreate(H5P_DATASET_CREATE), H5Pclose),
      access(H5Pcreate(H5P_DATASET_ACCESS), H5Pclose);
  H5Pset_chunk(layout, 1, &rows_of_chunk);
  H5Pset_shuffle(layout);
  H5Pset_deflate(layout, 1);
  H5Pset_chunk_cache(access, 1, chunk * sizeof(double), 1);  // chunks come one after the other: memory for one is enough
  const std::vector<Quantity>& columns = rows.header().columns;
  for (const Quantity& column : columns) {
    datasets.emplace_back(H5Dcreate2(file, column.name.c_str(), H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, layout, access), H5Dclose);
    good = good && datasets.back().good() && put_text(datasets.back(), "name", column.name) &&
           put_text(datasets.back(), "unit", column.unit) && H5Dset_extent(datasets.back(), &size) >= 0;
  }
  std::vector<double> block, values;
  for (hsize_t first = 0; good && first < size; first += chunk) {
    const hsize_t count = std::min<hsize_t>(chunk, size - first);
    block.resize(count * columns.size());
    values.resize(count);
    rows.read(block);
    const Handle memory(H5Screate_simple(1, &count, nullptr), H5Sclose);
    for (std::size_t c = 0; good && c < columns.size(); ++c) {
      for (std::size_t i = 0; i < count; ++i) values[i] = block[i * columns.size() + c];
      const Handle part(H5Dget_space(datasets[c]), H5Sclose);
      good = H5Sselect_hyperslab(part, H5S_SELECT_SET, &first, nullptr, &count, nullptr) >= 0 &&
             H5Dwrite(datasets[c], H5T_NATIVE_DOUBLE, memory, part, H5P_DEFAULT, values.data()) >= 0;
    }
  }
}

/// The file appears complete or not at all.
void write_hdf5(const std::string& path, RowsReader& rows) {
  set_up();
  const std::string beside = path + ".new";
  const Handle order(H5Pcreate(H5P_FILE_CREATE), H5Pclose);
  H5Pset_link_creation_order(order, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED);
  errno = 0;
  Handle file(H5Fcreate(beside.c_str(), H5F_ACC_TRUNC, order, H5P_DEFAULT), H5Fclose);
  bool good = file.good() && put_text(file, "title", rows.header().title) && put_text(file, "scene", rows.header().scene);
  std::vector<Handle> datasets;
  if (good) write_columns(file, rows, datasets, good);
  good = good && H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0;
  std::error_code error;
  if (good) {
    for (Handle& dataset : datasets) good = dataset.close() && good;
    good = file.close() && good;
    if (good) fs::rename(beside, path, error);
  }
  if (!good || error) {
    const std::string why = error ? error.message() : reason();
    for (Handle& dataset : datasets) dataset.abandon();
    file.abandon();
    fs::remove(beside, error);
    refuse(path, "cannot be written: " + why);
  }
}

// --- read ------------------------------------------------------------------------------------------------------------------------

struct Open {
  Handle file;
  RowsHeader header;
  std::vector<Handle> datasets;
  std::uint64_t rows = 0;

  void read(std::size_t column, hsize_t first, std::span<double> into) const {
    const hsize_t count = into.size();
    if (count == 0) return;
    const Handle memory(H5Screate_simple(1, &count, nullptr), H5Sclose), part(H5Dget_space(datasets[column]), H5Sclose);
    if (H5Sselect_hyperslab(part, H5S_SELECT_SET, &first, nullptr, &count, nullptr) < 0 ||
        H5Dread(datasets[column], H5T_NATIVE_DOUBLE, memory, part, H5P_DEFAULT, into.data()) < 0)
      throw std::runtime_error(fmt::format("cannot read the column {}", header.columns[column].name));
  }
};

/// std::runtime_error without the path.
Open open_hdf5(const std::string& path) {
  set_up();
  Open open{Handle(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose), {}, {}, 0};
  if (!open.file.good()) throw std::runtime_error("cannot read: not a whole HDF5 file");
  open.header.title = get_text(open.file, "title");
  open.header.scene = get_text(open.file, "scene");
  H5G_info_t group{};
  H5Gget_info(open.file, &group);
  for (hsize_t i = 0; i < group.nlinks; ++i) {
    const auto by = [&](H5_index_t order) { return H5Oopen_by_idx(open.file, ".", order, H5_ITER_INC, i, H5P_DEFAULT); };
    hid_t id = by(H5_INDEX_CRT_ORDER);
    if (id < 0) id = by(H5_INDEX_NAME);  // a file of another program
    Handle object(id, H5Oclose);
    if (!object.good() || H5Iget_type(object) != H5I_DATASET) continue;
    const Handle space(H5Dget_space(object), H5Sclose), type(H5Dget_type(object), H5Tclose);
    hsize_t length = 0;
    if (H5Sget_simple_extent_ndims(space) != 1 || H5Sget_simple_extent_dims(space, &length, nullptr) < 0) continue;
    if (H5Tget_class(type) != H5T_FLOAT && H5Tget_class(type) != H5T_INTEGER) continue;
    std::string name(static_cast<std::size_t>(std::max<ssize_t>(0, H5Iget_name(object, nullptr, 0))) + 1, '\0');
    H5Iget_name(object, name.data(), name.size());
    name = name.substr(1, name.find('\0') - 1);
    if (!open.datasets.empty() && length != open.rows)
      throw std::runtime_error(fmt::format("the column {} has {} rows: must be {}, as the others", name, length, open.rows));
    open.rows = length;
    open.header.columns.push_back({std::move(name), get_text(object, "unit")});
    open.datasets.push_back(std::move(object));
  }
  if (open.datasets.empty()) throw std::runtime_error("no columns of numbers in it");
  return open;
}

// --- the sink --------------------------------------------------------------------------------------------------------------------

class Hdf5Sink final : public Sink {
 public:
  Hdf5Sink(std::string path, std::string title, std::string scene) : title_(std::move(title)), scene_(std::move(scene)) {
    moved_to(path);
  }

  void moved_to(const std::string& path) override {
    path_ = path;
    waiting_path_ = detail::rows_beside(path);
  }

  void start(const std::vector<Quantity>& columns, std::uint64_t rows) override {
    const RowsHeader header{title_, scene_, columns};
    if (rows > 0) take_up(header, rows);
    file_.open(waiting_path_, std::ios::binary | (rows > 0 ? std::ios::app : std::ios::trunc));
    if (!file_) refuse(waiting_path_, "cannot be written: " + reason());
    if (rows == 0) put(detail::to_text(header));
    flush();
  }

  void row(std::span<const double> values) override {
    put({reinterpret_cast<const char*>(values.data()), values.size_bytes()});
    if (bytes_.size() >= 1U << 20U) flush();
  }

  void flush() override {
    errno = 0;
    file_.write(bytes_.data(), static_cast<std::streamsize>(bytes_.size()));
    bytes_.clear();
    if (!file_.flush()) refuse(waiting_path_, "cannot be written: " + reason());
  }

  void close() override {
    flush();
    file_.close();
    RowsReader rows(waiting_path_);
    write_hdf5(path_, rows);
    fs::remove(waiting_path_);
  }

 private:
  void put(std::string_view bytes) { bytes_ += bytes; }

  /// Keeps so many rows, those that wait or those of the HDF5 file, and drops the rest.
  void take_up(const RowsHeader& header, std::uint64_t rows) {
    if (!fs::exists(waiting_path_)) unpack();
    const RowsReader there(waiting_path_);
    const auto names = [](const RowsHeader& of) {
      std::vector<std::string> list;
      for (const Quantity& column : of.columns) list.push_back(column.name);
      return list;
    };
    if (names(there.header()) != names(header)) refuse(path_, "cannot be continued: it has other columns");
    if (there.rows() < rows) refuse(path_, fmt::format("cannot be continued: {} rows, {} are needed", there.rows(), rows));
    fs::resize_file(waiting_path_, there.place(rows));
  }

  void unpack() const {
    const std::string beside = waiting_path_ + ".new";
    try {
      const Open open = open_hdf5(path_);
      std::ofstream out(beside, std::ios::binary | std::ios::trunc);
      const std::string header = detail::to_text(open.header);
      out.write(header.data(), static_cast<std::streamsize>(header.size()));
      const std::size_t columns = open.datasets.size();
      std::vector<double> values, block;
      for (std::uint64_t first = 0; first < open.rows; first += chunk) {
        const std::size_t count = std::min(chunk, open.rows - first);
        values.resize(count);
        block.resize(count * columns);
        for (std::size_t c = 0; c < columns; ++c) {
          open.read(c, first, values);
          for (std::size_t i = 0; i < count; ++i) block[i * columns + c] = values[i];
        }
        out.write(reinterpret_cast<const char*>(block.data()), static_cast<std::streamsize>(block.size() * sizeof(double)));
      }
      out.close();
      if (!out) refuse(beside, "cannot be written");
      fs::rename(beside, waiting_path_);
    } catch (const std::runtime_error& error) {
      std::error_code ignored;
      fs::remove(beside, ignored);
      refuse(path_, std::string("cannot be continued: ") + error.what());
    }
  }

  std::string path_, waiting_path_, title_, scene_;
  std::ofstream file_;
  std::string bytes_;
};

}  // namespace

bool has_hdf5() noexcept { return true; }

std::shared_ptr<Sink> make_hdf5_sink(std::string path, std::string title, std::string scene) {
  return std::make_shared<Hdf5Sink>(std::move(path), std::move(title), std::move(scene));
}

std::optional<Table> detail::read_hdf5(const std::string& path, std::vector<std::string>& problems) {
  try {
    const Open open = open_hdf5(path);
    Table table;
    for (std::size_t c = 0; c < open.datasets.size(); ++c) {
      table.columns.push_back({open.header.columns[c], std::vector<double>(open.rows)});
      open.read(c, 0, table.columns.back().values);
    }
    return table;
  } catch (const std::runtime_error& error) {
    problems.push_back(fmt::format("{}: {}", path, error.what()));
    return std::nullopt;
  }
}

}  // namespace asperity

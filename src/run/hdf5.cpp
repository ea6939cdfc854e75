// Rows in HDF5: one extensible dataset a column, compressed chunk by chunk. See rows.hpp for where the rows are meanwhile.
#include "hdf5.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <exception>
#include <filesystem>
#include <new>
#include <stdexcept>
#include <utility>

#include "asperity/run/sink.hpp"
#include "file.hpp"
#include "files/hdf5_handle.hpp"
#include "gather.hpp"
#include "rows.hpp"

namespace asperity {
namespace {

namespace fs = std::filesystem;
using detail::refuse;
using detail::RowsHeader;
using detail::RowsReader;
using files::Hdf5Handle;
using files::put_text;

constexpr std::uint64_t chunk = 1024;  // rows
constexpr std::uint64_t most_packed = 1100, most_text = 1U << 16U;

std::string reason() { return errno ? std::strerror(errno) : "the output failed"; }

/// HDF5 prints its troubles to standard error, and closes what is open when the program ends; both are ours to do.
void set_up() {
  H5dont_atexit();
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

std::string get_text(hid_t object, const char* name) {
  if (H5Aexists(object, name) <= 0) return "";
  const Hdf5Handle attribute(H5Aopen(object, name, H5P_DEFAULT), H5Aclose), type(H5Aget_type(attribute), H5Tclose);
  if (!attribute.good() || H5Tget_class(type) != H5T_STRING || H5Tis_variable_str(type) > 0) return "";
  std::string text(std::min<std::size_t>(H5Tget_size(type), most_text + 1), '\0');
  if (text.size() > most_text || H5Aread(attribute, type, text.data()) < 0) return "";
  return text.substr(0, text.find('\0'));
}

// --- the checksum ----------------------------------------------------------------------------------------------------------------

// Behind the last byte that the library knows of, where it does not look.
constexpr std::string_view before_checksum = "\nasperity checksum ";
constexpr std::size_t checksum_size = before_checksum.size() + 16 + 1;

std::string checksum_text(const detail::Checksum& sum) { return fmt::format("{}{:016x}\n", before_checksum, sum.value()); }

/// Of so many bytes of a file.
detail::Checksum checksum_of(std::ifstream& file, std::uint64_t size) {
  detail::Checksum sum;
  std::vector<char> block(1U << 20U);
  file.clear();
  file.seekg(0);
  while (size > 0 && file) {
    file.read(block.data(), static_cast<std::streamsize>(std::min<std::uint64_t>(block.size(), size)));
    sum.add({block.data(), static_cast<std::size_t>(file.gcount())});
    size -= static_cast<std::uint64_t>(file.gcount());
  }
  return sum;
}

void put_checksum(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  const std::uint64_t size = fs::file_size(path);
  const std::string text = checksum_text(checksum_of(file, size));
  detail::OutFile out;
  out.continue_after(path, size);
  out.write(text);
  out.close();
}

/// std::runtime_error without the path. Files of other programs have no checksum.
void verify_checksum(const std::string& path) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  const auto size = static_cast<std::uint64_t>(std::max<std::streamoff>(0, file.tellg()));
  if (size < checksum_size) return;
  std::string text(checksum_size, '\0');
  file.seekg(static_cast<std::streamoff>(size - checksum_size));
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (!text.starts_with(before_checksum)) return;
  if (text != checksum_text(checksum_of(file, size - checksum_size)))
    throw std::runtime_error(
        "cannot read: damaged, or changed by another program: its bytes do not match its checksum (`h5repack` makes a copy "
        "without a checksum)");
}

// --- written at once -------------------------------------------------------------------------------------------------------------

void write_columns(hid_t file, RowsReader& rows, std::vector<Hdf5Handle>& datasets, bool& good) {
  const hsize_t none = 0, any = H5S_UNLIMITED, size = rows.rows(), rows_of_chunk = chunk;
  const Hdf5Handle space(H5Screate_simple(1, &none, &any), H5Sclose), layout(H5Pcreate(H5P_DATASET_CREATE), H5Pclose),
      access(H5Pcreate(H5P_DATASET_ACCESS), H5Pclose);
  H5Pset_chunk(layout, 1, &rows_of_chunk);
  H5Pset_obj_track_times(layout, false);  // the same rows make the same file
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
    const Hdf5Handle memory(H5Screate_simple(1, &count, nullptr), H5Sclose);
    for (std::size_t c = 0; good && c < columns.size(); ++c) {
      for (std::size_t i = 0; i < count; ++i) values[i] = block[i * columns.size() + c];
      const Hdf5Handle part(H5Dget_space(datasets[c]), H5Sclose);
      good = H5Sselect_hyperslab(part, H5S_SELECT_SET, &first, nullptr, &count, nullptr) >= 0 &&
             H5Dwrite(datasets[c], H5T_NATIVE_DOUBLE, memory, part, H5P_DEFAULT, values.data()) >= 0;
    }
  }
}

/// The file appears complete or not at all.
void write_hdf5(const std::string& path, RowsReader& rows) {
  set_up();
  const std::string beside = path + ".new";
  std::error_code ignored;
  fs::remove(beside, ignored);  // a link would be followed
  const Hdf5Handle order(H5Pcreate(H5P_FILE_CREATE), H5Pclose);
  H5Pset_link_creation_order(order, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED);
  H5Pset_obj_track_times(order, false);
  errno = 0;
  Hdf5Handle file(H5Fcreate(beside.c_str(), H5F_ACC_EXCL, order, H5P_DEFAULT), H5Fclose);
  bool good = file.good() && put_text(file, "title", rows.header().title) && put_text(file, "scene", rows.header().scene);
  std::vector<Hdf5Handle> datasets;
  if (good) write_columns(file, rows, datasets, good);
  good = good && H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0;
  std::error_code error;
  if (good) {
    for (Hdf5Handle& dataset : datasets) good = dataset.close() && good;
    good = file.close() && good;
    if (good) {
      try {
        put_checksum(beside);
      } catch (const std::runtime_error&) {
        fs::remove(beside, ignored);
        throw;
      }
      fs::rename(beside, path, error);
    }
  }
  if (!good || error) {
    const std::string why = error ? error.message() : reason();
    for (Hdf5Handle& dataset : datasets) dataset.abandon();
    file.abandon();
    fs::remove(beside, ignored);
    refuse(path, "cannot be written: " + why);
  }
}

// --- read ------------------------------------------------------------------------------------------------------------------------

struct Open {
  Hdf5Handle file;
  RowsHeader header;
  std::vector<Hdf5Handle> datasets;
  std::vector<int> along;  // which of two dimensions the rows are in; of one dimension 0
  std::uint64_t rows = 0;

  void read(std::size_t column, hsize_t first, std::span<double> into) const {
    const hsize_t count = into.size();
    if (count == 0) return;
    const Hdf5Handle memory(H5Screate_simple(1, &count, nullptr), H5Sclose), part(H5Dget_space(datasets[column]), H5Sclose);
    std::array<hsize_t, 2> from{0, 0}, size{1, 1};
    from[static_cast<std::size_t>(along[column])] = first, size[static_cast<std::size_t>(along[column])] = count;
    if (H5Sselect_hyperslab(part, H5S_SELECT_SET, from.data(), nullptr, size.data(), nullptr) < 0 ||
        H5Dread(datasets[column], H5T_NATIVE_DOUBLE, memory, part, H5P_DEFAULT, into.data()) < 0)
      throw std::runtime_error(fmt::format("cannot read the column {}", header.columns[column].name));
  }
};

/// A list of numbers somewhere in a file.
struct FoundColumn {
  Hdf5Handle dataset;
  std::string name;
  int along;
  hsize_t length;
};

/// All lists of numbers: of one dimension, or of two of which one is 1, as MATLAB has them. `depth`: how far down in groups.
void find_columns(hid_t group, int depth, std::vector<FoundColumn>& found) {
  H5G_info_t info{};
  H5Gget_info(group, &info);
  for (hsize_t i = 0; i < info.nlinks; ++i) {
    const auto by = [&](H5_index_t order) { return H5Oopen_by_idx(group, ".", order, H5_ITER_INC, i, H5P_DEFAULT); };
    hid_t id = by(H5_INDEX_CRT_ORDER);
    if (id < 0) id = by(H5_INDEX_NAME);  // a file of another program
    Hdf5Handle object(id, H5Oclose);
    if (!object.good()) continue;
    std::string name(static_cast<std::size_t>(std::max<ssize_t>(0, H5Iget_name(object, nullptr, 0))) + 1, '\0');
    H5Iget_name(object, name.data(), name.size());
    name = name.substr(1, name.find('\0') - 1);
    if (name.starts_with('#')) continue;  // what MATLAB refers to
    if (H5Iget_type(object) == H5I_GROUP && depth > 0) find_columns(object, depth - 1, found);
    if (H5Iget_type(object) != H5I_DATASET || get_text(object, "MATLAB_class") == "char") continue;
    const Hdf5Handle space(H5Dget_space(object), H5Sclose), type(H5Dget_type(object), H5Tclose);
    const int dimensions = H5Sget_simple_extent_ndims(space);
    std::array<hsize_t, 2> lengths{1, 1};
    if (dimensions < 1 || dimensions > 2 || H5Sget_simple_extent_dims(space, lengths.data(), nullptr) < 0) continue;
    if (H5Tget_class(type) != H5T_FLOAT && H5Tget_class(type) != H5T_INTEGER) continue;
    const int along = dimensions == 2 && lengths[0] == 1 ? 1 : 0;
    if (dimensions == 2 && lengths[static_cast<std::size_t>(1 - along)] != 1) continue;
    found.push_back({std::move(object), std::move(name), along, lengths[static_cast<std::size_t>(along)]});
  }
}

/// Of another program: as many rows as most of the lists have, which are the columns; the rest is something else.
hsize_t usual_length(const std::vector<FoundColumn>& found) {
  hsize_t best = 0;
  std::ptrdiff_t most = 0;
  for (const FoundColumn& one : found) {
    const auto count =
        std::count_if(found.begin(), found.end(), [&](const FoundColumn& other) { return other.length == one.length; });
    if (one.length > 1 && (count > most || (count == most && one.length > best))) most = count, best = one.length;
  }
  return best;
}

/// std::runtime_error without the path.
Open open_hdf5(const std::string& path) {
  set_up();
  Open open{Hdf5Handle(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose), {}, {}, {}, 0};
  if (!open.file.good()) throw std::runtime_error("cannot read: not a whole HDF5 file");
  const std::uint64_t size = fs::file_size(path);
  open.header.title = get_text(open.file, "title");
  open.header.scene = get_text(open.file, "scene");
  const bool is_own = H5Aexists(open.file, "title") > 0;
  std::vector<FoundColumn> found;
  const Hdf5Handle root(H5Gopen2(open.file, "/", H5P_DEFAULT), H5Gclose);
  find_columns(root, is_own ? 0 : 4, found);
  const hsize_t usual = is_own ? 0 : usual_length(found);
  for (FoundColumn& one : found) {
    if (!is_own && one.length != usual) continue;
    if (!open.datasets.empty() && one.length != open.rows)
      throw std::runtime_error(
          fmt::format("the column {} has {} rows: must be {}, as the others", one.name, one.length, open.rows));
    // Deflate packs a thousand bytes into one at most.
    if (one.length > most_packed * size / sizeof(double))
      throw std::runtime_error(
          fmt::format("cannot read: the column {} has {} rows, which {} bytes cannot hold", one.name, one.length, size));
    open.rows = one.length;
    const std::string unit = get_text(one.dataset, "unit");
    open.header.columns.push_back({std::move(one.name), unit.empty() ? get_text(one.dataset, "units") : unit});
    open.datasets.push_back(std::move(one.dataset));
    open.along.push_back(one.along);
  }
  if (open.datasets.empty()) throw std::runtime_error("no columns of numbers in it");
  return open;
}

/// Calls f(rows, row after row) for all of them.
template <class F>
void each_block(const Open& open, F&& f) {
  const std::size_t columns = open.datasets.size();
  const std::uint64_t rows_of_block = std::max<std::uint64_t>(1, (1U << 20U) / columns / chunk) * chunk;
  std::vector<double> values, block;
  for (std::uint64_t first = 0; first < open.rows; first += rows_of_block) {
    const std::size_t count = std::min(rows_of_block, open.rows - first);
    values.resize(count);
    block.resize(count * columns);
    for (std::size_t c = 0; c < columns; ++c) {
      open.read(c, first, values);
      for (std::size_t i = 0; i < count; ++i) block[i * columns + c] = values[i];
    }
    f(std::span<const double>(block));
  }
}

// --- in a process of its own -----------------------------------------------------------------------------------------------------

// The library may crash on a damaged file, or never come to an end. It reads in a child process, which writes what it found to a
// pipe: a crash is a message, not the end of the program.

/// One end of a pipe.
class Pipe {
 public:
  explicit Pipe(int end) : end_(end) {}
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  ~Pipe() { close(); }
  void close() {
    if (end_ >= 0) ::close(std::exchange(end_, -1));
  }
  bool write(const void* bytes, std::size_t size) {
    for (const char* from = static_cast<const char*>(bytes); size > 0;) {
      const ssize_t done = ::write(end_, from, size);
      if (done < 0 && errno == EINTR) continue;
      if (done <= 0) return false;
      from += done, size -= static_cast<std::size_t>(done);
    }
    return true;
  }
  /// How much came until the other side closed it.
  std::size_t read(void* bytes, std::size_t size) {
    std::size_t done = 0;
    while (done < size) {
      const ssize_t more = ::read(end_, static_cast<char*>(bytes) + done, size - done);
      if (more < 0 && errno == EINTR) continue;
      if (more <= 0) break;
      done += static_cast<std::size_t>(more);
    }
    return done;
  }
  std::uint64_t number() {
    std::uint64_t number = 0;
    return read(&number, sizeof number) == sizeof number ? number : 0;
  }
  void put(std::string_view text) {
    const std::uint64_t size = text.size();
    write(&size, sizeof size);
    write(text.data(), text.size());
  }
  std::string text() {
    std::string text(std::min<std::uint64_t>(number(), most_text), '\0');
    text.resize(read(text.data(), text.size()));
    return text;
  }

 private:
  int end_;
};

/// work(to) in a child process, take(from) here; std::runtime_error if the child failed, without the path.
template <class Work, class Take>
void apart(const std::string& path, Work&& work, Take&& take) {
  int data[2], trouble[2];
  if (pipe(data) != 0) throw std::runtime_error("cannot read: " + reason());
  Pipe from(data[0]), to(data[1]);
  if (pipe(trouble) != 0) throw std::runtime_error("cannot read: " + reason());
  Pipe said(trouble[0]), says(trouble[1]);
  std::error_code none;
  const std::uintmax_t size = fs::file_size(path, none);
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("cannot read: " + reason());
  if (child == 0) {
    from.close();
    said.close();
    const rlimit no_core{0, 0};
    setrlimit(RLIMIT_CORE, &no_core);
    const rlim_t seconds = 20 + (none ? 0 : size / 5'000'000);  // of work, many times what a whole file takes
    const rlimit time{seconds, seconds};
    setrlimit(RLIMIT_CPU, &time);
    for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGXCPU}) std::signal(signal, SIG_DFL);
    try {
      work(to);
    } catch (const std::bad_alloc&) {
      says.put("cannot read: not enough memory for what it says it holds");
    } catch (const std::exception& error) {
      says.put(error.what());
    }
    _exit(0);
  }
  to.close();
  says.close();
  std::exception_ptr failed;
  try {
    take(from);
  } catch (...) {
    failed = std::current_exception();
  }
  from.close();
  const std::string why = said.text();
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (!why.empty()) throw std::runtime_error(why);
  if (WIFSIGNALED(status) && WTERMSIG(status) != SIGPIPE)
    throw std::runtime_error(fmt::format("cannot read: damaged: the HDF5 library {}",
                                         WTERMSIG(status) == SIGXCPU || WTERMSIG(status) == SIGKILL
                                             ? "did not come to an end with it"
                                             : fmt::format("crashed on it ({})", strsignal(WTERMSIG(status)))));
  if (failed) std::rethrow_exception(failed);
}

void send(const std::string& path, Pipe& to) {
  const Open open = open_hdf5(path);
  const std::uint64_t columns = open.datasets.size();
  to.write(&columns, sizeof columns);
  for (const Quantity& column : open.header.columns) to.put(column.name), to.put(column.unit);
  to.write(&open.rows, sizeof open.rows);
  each_block(open, [&](std::span<const double> block) {
    if (!to.write(block.data(), block.size_bytes())) _exit(0);  // nobody listens
  });
}

Table receive(Pipe& from, std::uint64_t most_numbers) {
  std::vector<Quantity> columns;
  const std::uint64_t count = from.number();
  for (std::uint64_t c = 0; c < count; ++c) {
    std::string name = from.text(), unit = from.text();
    if (name.empty()) throw std::runtime_error("cannot read: damaged");
    columns.push_back({std::move(name), std::move(unit)});
  }
  const std::uint64_t rows = from.number();
  detail::Gather gather(most_numbers);
  gather.start(columns, rows);
  std::vector<double> row(columns.size());
  for (std::uint64_t i = 0; i < rows; ++i) {
    if (from.read(row.data(), row.size() * sizeof(double)) != row.size() * sizeof(double))
      throw std::runtime_error(fmt::format("cannot read: damaged: {} of {} rows", i, rows));
    gather.row(row);
  }
  return gather.take();
}

// --- the sink --------------------------------------------------------------------------------------------------------------------

class Hdf5Sink final : public Sink {
 public:
  Hdf5Sink(std::string path, std::string title, std::string scene)
      : path_(std::move(path)), waiting_path_(detail::rows_beside(path_)), title_(std::move(title)), scene_(std::move(scene)) {}

  void moved_to(const std::string& path) override {
    path_ = path;
    waiting_path_ = detail::rows_beside(path);
    file_.moved_to(waiting_path_);
  }

  void start(const std::vector<Quantity>& columns, std::uint64_t rows) override {
    bytes_.clear();
    checksum_ = {};
    if (rows > 0) {
      if (!fs::exists(waiting_path_)) unpack(waiting_path_);
      const Kept kept = first_rows(waiting_path_, columns, rows);
      checksum_ = kept.checksum;
      file_.continue_after(waiting_path_, kept.size);
    } else {
      file_.create(waiting_path_);
      file_.write(detail::to_text({title_, scene_, columns}));
    }
  }

  void row(std::span<const double> values) override {
    bytes_ += std::string_view(reinterpret_cast<const char*>(values.data()), values.size_bytes());
    if (bytes_.size() >= 1U << 20U) flush();
  }

  void flush() override {
    const std::string bytes = std::exchange(bytes_, {});  // not tried again if it fails
    file_.write(bytes);
    checksum_.add(bytes);
  }

  void close() override {
    flush();
    file_.close();
    RowsReader rows(waiting_path_);
    write_hdf5(path_, rows);
    std::error_code ignored;
    fs::remove(waiting_path_, ignored);
  }

  std::uint64_t checksum() const override { return checksum_.value(); }

  void check(const std::vector<Quantity>& columns, std::uint64_t rows, std::uint64_t checksum) const override {
    const bool waits = fs::exists(waiting_path_);
    const std::string path = waits ? waiting_path_ : waiting_path_ + ".new";
    const auto clean = [&] {
      std::error_code ignored;
      if (!waits) fs::remove(path, ignored);
    };
    try {
      if (!waits) unpack(path);
      if (first_rows(path, columns, rows).checksum.value() != checksum)
        refuse(path_, fmt::format("cannot be continued: its first {} rows are not the ones that were written", rows));
    } catch (const std::runtime_error&) {
      clean();
      throw;
    }
    clean();
  }

 private:
  struct Kept {
    std::uint64_t size = 0;  // bytes
    detail::Checksum checksum;
  };

  Kept first_rows(const std::string& path, const std::vector<Quantity>& columns, std::uint64_t rows) const {
    RowsReader there(path);
    const auto same = [](const Quantity& a, const Quantity& b) { return a.name == b.name; };
    if (!std::ranges::equal(there.header().columns, columns, same)) refuse(path_, "cannot be continued: it has other columns");
    if (there.rows() < rows) refuse(path_, fmt::format("cannot be continued: {} rows, {} are needed", there.rows(), rows));
    Kept kept{there.place(rows), {}};
    std::vector<double> row(columns.size());
    for (std::uint64_t i = 0; i < rows; ++i) {
      there.read(row);
      kept.checksum.add({reinterpret_cast<const char*>(row.data()), row.size() * sizeof(double)});
    }
    return kept;
  }

  /// The rows of the HDF5 file, as they waited before it was written.
  void unpack(const std::string& to) const {
    const std::string beside = to + ".part";
    try {
      if (const std::string why = detail::why_unreadable(path_); !why.empty()) throw std::runtime_error(why);
      verify_checksum(path_);
      apart(
          path_,
          [&](Pipe&) {
            const Open open = open_hdf5(path_);
            detail::OutFile out;
            out.replace(beside);
            out.write(detail::to_text(open.header));
            each_block(open, [&](std::span<const double> block) {
              out.write({reinterpret_cast<const char*>(block.data()), block.size_bytes()});
            });
            out.close();
          },
          [](Pipe&) {});
      fs::rename(beside, to);
    } catch (const std::runtime_error& error) {
      std::error_code ignored;
      fs::remove(beside, ignored);
      refuse(path_, std::string("cannot be continued: ") + error.what());
    }
  }

  std::string path_, waiting_path_, title_, scene_;
  detail::OutFile file_;
  detail::Checksum checksum_;  // of the rows
  std::string bytes_;
};

}  // namespace

bool has_hdf5() noexcept { return true; }

std::shared_ptr<Sink> make_hdf5_sink(std::string path, std::string title, std::string scene) {
  return std::make_shared<Hdf5Sink>(std::move(path), std::move(title), std::move(scene));
}

std::optional<Table> detail::read_hdf5(const std::string& path, std::uint64_t most_numbers, std::vector<std::string>& problems) {
  try {
    verify_checksum(path);
    Table table;
    apart(
        path, [&](Pipe& to) { send(path, to); }, [&](Pipe& from) { table = receive(from, most_numbers); });
    return table;
  } catch (const std::runtime_error& error) {
    problems.push_back(fmt::format("{}: {}", path, error.what()));
    return std::nullopt;
  }
}

}  // namespace asperity

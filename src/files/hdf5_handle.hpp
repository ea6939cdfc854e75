// Handles and texts of HDF5, for whatever writes or reads such files.
#pragma once

#include <hdf5.h>

#include <string>
#include <utility>

namespace asperity::files {

/// A handle that closes itself.
class Hdf5Handle {
 public:
  Hdf5Handle(hid_t id, herr_t (*release)(hid_t)) : id_(id), close_(release) {}
  Hdf5Handle(Hdf5Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
  Hdf5Handle& operator=(Hdf5Handle&&) = delete;
  ~Hdf5Handle() { close(); }
  bool close() { return id_ < 0 || close_(std::exchange(id_, -1)) >= 0; }
  /// HDF5 1.10 may crash when it closes what it could not write.
  void abandon() noexcept { id_ = -1; }
  operator hid_t() const noexcept { return id_; }
  bool good() const noexcept { return id_ >= 0; }

 private:
  hid_t id_;
  herr_t (*close_)(hid_t);
};

/// A text as an attribute of an object.
inline bool put_text(hid_t object, const char* name, const std::string& text) {
  const Hdf5Handle type(H5Tcopy(H5T_C_S1), H5Tclose), space(H5Screate(H5S_SCALAR), H5Sclose);
  H5Tset_size(type, text.size() + 1);
  H5Tset_cset(type, H5T_CSET_UTF8);
  const Hdf5Handle attribute(H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  return attribute.good() && H5Awrite(attribute, type, text.c_str()) >= 0;
}

}  // namespace asperity::files

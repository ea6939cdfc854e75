// HDF5 files as other programs write them, made here with the HDF5 library itself.
#include <gtest/gtest.h>
#include <hdf5.h>

#include <cmath>
#include <fstream>

#include "cli/program.hpp"
#include "plant.hpp"

namespace {

class OtherHdf5 : public ProgramTest {
 protected:
  Plant::Record record_ = Plant{}.run();

  hid_t create(const char* name, hsize_t user_block = 0) const {
    const hid_t how = H5Pcreate(H5P_FILE_CREATE);
    if (user_block > 0) H5Pset_userblock(how, user_block);
    const hid_t file = H5Fcreate((folder_ / "work" / name).c_str(), H5F_ACC_TRUNC, how, H5P_DEFAULT);
    H5Pclose(how);
    return file;
  }
  static void put(hid_t place, const char* name, const std::vector<hsize_t>& size, const std::vector<double>& values,
                  hid_t stored = H5T_IEEE_F64LE, const char* unit = nullptr) {
    const hid_t space = H5Screate_simple(static_cast<int>(size.size()), size.data(), nullptr);
    const hid_t data = H5Dcreate2(place, name, stored, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    EXPECT_GE(H5Dwrite(data, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), 0);
    if (unit) {
      const hid_t text = H5Tcopy(H5T_C_S1), one = H5Screate(H5S_SCALAR);
      H5Tset_size(text, std::char_traits<char>::length(unit) + 1);
      const hid_t attribute = H5Acreate2(data, "units", text, one, H5P_DEFAULT, H5P_DEFAULT);
      H5Awrite(attribute, text, unit);
      H5Aclose(attribute), H5Sclose(one), H5Tclose(text);
    }
    H5Dclose(data), H5Sclose(space);
  }
  static std::vector<double> scaled(std::vector<double> values, double factor) {
    for (double& x : values) x *= factor;
    return values;
  }
  void expect_the_mass(const std::string& file, const std::string& map) const {
    const Answer answer = run("identify " + file + " --law dahl --map '" + map + "' --mass free --viscous free --offset free");
    ASSERT_EQ(answer.exit_code, 0) << answer.err;
    const std::size_t at = answer.out.find("\n  M ");
    ASSERT_NE(at, std::string::npos);
    EXPECT_NEAR(std::stod(answer.out.substr(at + 4)), 2, 0.02);
  }
};

TEST_F(OtherHdf5, AreReadWithTheirGroupsAndUnits) {
  const hid_t file = create("log.h5"), group = H5Gcreate2(file, "log", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  const hsize_t n = record_.t.size();
  put(group, "t", {n}, record_.t);
  put(group, "q", {n}, scaled(record_.x, 1e3), H5T_IEEE_F64LE, "mm");
  put(group, "F", {n}, record_.f, H5T_IEEE_F32LE);
  put(file, "calibration", {3}, {1, 2, 3});  // not a column
  put(file, "image", {2, 4}, std::vector<double>(8));
  H5Gclose(group), H5Fclose(file);
  expect_the_mass("log.h5", "time=log/t, position=log/q, force=log/F");
}

TEST_F(OtherHdf5, OfMatlabAreReadBehindTheirHeader) {
  const hid_t file = create("axis.mat", 512);
  const hsize_t n = record_.t.size();
  put(file, "t", {1, n}, record_.t);
  put(file, "q", {1, n}, record_.x);
  put(file, "u", {n, 1}, scaled(record_.f, 1 / 35.15));
  put(file, "Ts", {1, 1}, {1e-3});
  H5Fclose(file);
  std::fstream(folder_ / "work" / "axis.mat", std::ios::in | std::ios::out | std::ios::binary)
      << "MATLAB 7.3 MAT-file, Platform: GLNXA64";
  expect_the_mass("axis.mat", "time=t, position=q, force=35.15*u");
}

}  // namespace

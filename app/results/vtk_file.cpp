#include "app/results/vtk_file.hpp"

#include "files/new_file.hpp"

#include <vtkNew.h>
#include <vtkXMLPolyDataWriter.h>
#include <vtkXMLUnstructuredGridWriter.h>

namespace slipwave::app {

namespace {

template <class Writer, class Data>
void write_whole_file(Data* data, const std::filesystem::path& file) {
  files::NewFile part(file);
  vtkNew<Writer> writer;
  writer->SetInputData(data);
  writer->SetFileName(part.path().c_str());
  writer->SetDataModeToAppended();
  writer->EncodeAppendedDataOff();
  writer->SetCompressorTypeToZLib();
  writer->SetCompressionLevel(1);  // 2 % larger than with the default 5, in two thirds of the time
  if (writer->Write() != 1 || writer->GetErrorCode() != 0) part.fail();
  part.commit();
}

}  // namespace

vtkSmartPointer<vtkDoubleArray> new_array(const char* name, int components, vtkIdType tuples) {
  auto array = vtkSmartPointer<vtkDoubleArray>::New();
  array->SetName(name);
  array->SetNumberOfComponents(components);
  array->SetNumberOfTuples(tuples);
  return array;
}

vtkSmartPointer<vtkDoubleArray> time_value(double t) {
  auto array = new_array("TimeValue", 1, 1);
  array->SetValue(0, t);
  return array;
}

void write_vtp(vtkPolyData* data, const std::filesystem::path& file) {
  write_whole_file<vtkXMLPolyDataWriter>(data, file);
}

void write_vtu(vtkUnstructuredGrid* data, const std::filesystem::path& file) {
  write_whole_file<vtkXMLUnstructuredGridWriter>(data, file);
}

}  // namespace slipwave::app

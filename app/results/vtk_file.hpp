#pragma once

#include <vtkDoubleArray.h>
#include <vtkPolyData.h>
#include <vtkSmartPointer.h>
#include <vtkUnstructuredGrid.h>

#include <filesystem>

namespace slipwave::app {

/// An array of so many tuples, to be filled.
vtkSmartPointer<vtkDoubleArray> new_array(const char* name, int components, vtkIdType tuples);

/// The time of a data set, as ParaView reads it.
vtkSmartPointer<vtkDoubleArray> time_value(double t);

/// Writes zlib-compressed XML, whole when it appears under its name. Throws OutputError.
void write_vtp(vtkPolyData* data, const std::filesystem::path& file);
/// The same for a body.
void write_vtu(vtkUnstructuredGrid* data, const std::filesystem::path& file);

}  // namespace slipwave::app

#include "app/waves/track_waves.hpp"

#include "app/waves/edges.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace slipwave::app {

namespace {

using Eigen::Index;

constexpr std::uint8_t is_open = 0, is_stick = 1;

double median(std::vector<double> values) {
  if (values.empty()) return 0.0;
  const auto middle = values.begin() + static_cast<Index>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return *middle;
  return 0.5 * (*middle + *std::max_element(values.begin(), middle));
}

double median_step(const Eigen::VectorXd& v) {
  std::vector<double> steps;
  for (Index i = 1; i < v.size(); ++i) steps.push_back(std::abs(v[i] - v[i - 1]));
  return median(std::move(steps));
}

/// A connected piece of a line in the rows that are looked at: columns [first, first + nodes).
struct Piece {
  const LineHistory& line;
  const TrackerOptions& options;
  Index row = 0, rows = 0, first = 0, nodes = 0;
  Eigen::VectorXd x, t;
  double dt = 0.0, settle = 0.0;

  template <class Value>
  Value at(const SpaceTime<Value>& field, Index node, Index j) const {
    return field(row + j, first + node);
  }

  /// What the node slipped in rows [begin, end).
  double slip_in(Index node, Index begin, Index end) const {
    if (end <= begin) return 0.0;
    return double{at(line.slip, node, end - 1)} -
           double{at(line.slip, node, std::max<Index>(begin - 1, 0))};
  }
};

EdgeSearch search_in(const Piece& piece) {
  EdgeSearch search;
  search.x = piece.x;
  search.t = piece.t;
  search.dt = piece.dt;
  search.tolerance = std::max(piece.settle, 1.5 * piece.dt);
  search.slowest = piece.options.slowest * piece.line.speeds.rayleigh;
  if (piece.line.speeds.pressure > 0.0)
    search.fastest = piece.options.fastest * piece.line.speeds.pressure;
  search.speed_change = piece.options.speed_change;
  search.min_nodes = piece.options.min_nodes;
  search.min_distance =
      piece.options.min_fraction * std::abs(piece.x[piece.nodes - 1] - piece.x[0]);
  search.hidden = [](int, double) { return true; };
  return search;
}

/// A state of the nodes, the stretches in which they are in it and out of it, and the edges of
/// both.
struct StateEdges {
  NodeStretches in, out;
  std::vector<Edge> leading, trailing;
};

template <class Predicate>
StateImage image_of(const Piece& piece, Predicate in_state) {
  StateImage image(piece.nodes, piece.rows);
  for (Index i = 0; i < piece.nodes; ++i)
    for (Index j = 0; j < piece.rows; ++j)
      image(i, j) = in_state(piece.at(piece.line.status, i, j));
  return image;
}

StateEdges edges_of(const Piece& piece, StateImage image) {
  debounce(image, static_cast<int>(std::min(std::ceil(piece.settle / piece.dt), 1e6)));
  StateEdges edges{
      find_stretches(image, true, piece.t), find_stretches(image, false, piece.t), {}, {}};
  EdgeSearch search = search_in(piece);
  const auto in_state = [&](int node, double t) {
    const auto row = std::lower_bound(piece.t.begin(), piece.t.end(), t) - piece.t.begin();
    return image(node, std::min<Index>(row, piece.rows - 1));
  };
  search.hidden = [&](int node, double t) { return in_state(node, t + search.tolerance); };
  edges.leading = find_edges(edges.in, search);
  search.hidden = [&](int node, double t) { return in_state(node, t - search.tolerance); };
  edges.trailing = find_edges(edges.out, search);
  return edges;
}

/// A wave and the edges it was made of; a front has one of them.
struct Found {
  Wave wave;
  const Edge* leading = nullptr;
  const Edge* trailing = nullptr;
};

const Stretch& stretch_of(const NodeStretches& stretches, const EdgePoint& point) {
  return stretches[static_cast<std::size_t>(point.node)][static_cast<std::size_t>(point.stretch)];
}

/// The wave that an edge tells of: where, when, how fast.
Wave wave_of(const Piece& piece, const Edge& edge, WaveClass type) {
  Wave wave;
  wave.line = piece.line.name;
  wave.type = type;
  for (const EdgePoint& p : edge.points) wave.path.push_back({p.x, p.t});
  if (!edge.forward()) std::reverse(wave.path.begin(), wave.path.end());
  wave.start = wave.path.front();
  wave.end = wave.path.back();
  wave.speed = edge.fit.speed();
  wave.speed_error = edge.fit.speed_error();
  return wave;
}

/// How many nodes leave the state by this trailing edge after they entered it by that leading one.
int shared_nodes(const Edge& leading, const Edge& trailing, const StateEdges& s) {
  std::map<int, int> end_of;  // row of the node's exit
  for (const EdgePoint& p : leading.points) end_of[p.node] = stretch_of(s.in, p).end;
  int count = 0;
  for (const EdgePoint& p : trailing.points) {
    const auto end = end_of.find(p.node);
    count += end != end_of.end() && end->second == stretch_of(s.out, p).begin ? 1 : 0;
  }
  return count;
}

double earliest(const Edge& edge) { return std::min(edge.points.front().t, edge.points.back().t); }

double latest(const Edge& edge) { return std::max(edge.points.front().t, edge.points.back().t); }

/// The edge that closes the stretch behind a leading edge: it runs the same way, most of the
/// nodes they share leave by it, and it starts before the leading edge ends. Null where there is
/// none.
const Edge* trailing_edge(const Edge& leading, const StateEdges& s) {
  const Edge* best = nullptr;
  int most = 2;
  for (const Edge& trailing : s.trailing) {
    if (trailing.forward() != leading.forward() || earliest(trailing) >= latest(leading)) continue;
    const int shared = shared_nodes(leading, trailing, s);
    const std::size_t fewer = std::min(leading.points.size(), trailing.points.size());
    if (shared <= most || 2 * static_cast<std::size_t>(shared) < fewer) continue;
    most = shared;
    best = &trailing;
  }
  return best;
}

/// Where an edge is at a time within its own.
double position_at(const Edge& edge, double t) {
  const auto& p = edge.points;
  for (std::size_t i = 1; i < p.size(); ++i) {
    const double from = p[i - 1].t, to = p[i].t;
    if ((from - t) * (to - t) > 0.0) continue;
    return from == to ? p[i].x : p[i - 1].x + (t - from) / (to - from) * (p[i].x - p[i - 1].x);
  }
  return std::abs(p.front().t - t) < std::abs(p.back().t - t) ? p.front().x : p.back().x;
}

/// Largest |slip velocity| of a node in rows [begin, end).
double peak_velocity(const Piece& piece, Index node, Index begin, Index end) {
  float peak = 0.0F;
  for (Index j = begin; j < end; ++j)
    peak = std::max(peak, std::abs(piece.at(piece.line.slip_velocity, node, j)));
  return double{peak};
}

/// Length, duration, slip and velocity of a pulse, from the nodes that both edges pass.
void measure_pulse(const Piece& piece, const StateEdges& s, Found& found) {
  std::vector<double> lengths, durations, peaks;
  double slip = 0.0;
  for (const EdgePoint& back : found.trailing->points) {
    if (back.t >= earliest(*found.leading) && back.t <= latest(*found.leading))
      lengths.push_back(std::abs(position_at(*found.leading, back.t) - back.x));
    const auto front = std::find_if(found.leading->points.begin(), found.leading->points.end(),
                                    [&](const EdgePoint& p) { return p.node == back.node; });
    if (front == found.leading->points.end()) continue;
    const Stretch& in = stretch_of(s.in, *front);
    if (in.end != stretch_of(s.out, back).begin) continue;
    durations.push_back(back.t - front->t);
    slip += piece.slip_in(back.node, in.begin, in.end);
    peaks.push_back(peak_velocity(piece, back.node, in.begin, in.end));
  }
  found.wave.duration = median(durations);
  found.wave.length =
      lengths.empty() ? found.wave.duration * std::abs(found.wave.speed) : median(lengths);
  found.wave.slip = slip / static_cast<double>(durations.size());
  found.wave.peak_velocity = median(peaks);
}

/// What the nodes of a front slip from its arrival to its end.
void measure_front(const Piece& piece, const NodeStretches& entered, const Edge& edge, Wave& wave) {
  const auto last = std::upper_bound(piece.t.begin(), piece.t.end(), wave.end.t) - piece.t.begin();
  double slip = 0.0;
  for (const EdgePoint& p : edge.points)
    slip += piece.slip_in(p.node, stretch_of(entered, p).begin, last);
  wave.slip = slip / static_cast<double>(edge.points.size());
}

/// Pulses where a trailing edge follows a leading one, fronts where an edge is alone.
std::vector<Found> pulses_and_fronts(const Piece& piece, const StateEdges& s, WaveClass pulse,
                                     WaveClass front) {
  std::vector<Found> all;
  std::vector<const Edge*> used;
  for (const Edge& edge : s.leading) {
    const Edge* trailing = trailing_edge(edge, s);
    all.push_back({wave_of(piece, edge, trailing ? pulse : front), &edge, trailing});
    if (trailing)
      measure_pulse(piece, s, all.back());
    else
      measure_front(piece, s.in, edge, all.back().wave);
    used.push_back(trailing);
  }
  for (const Edge& edge : s.trailing) {
    if (std::find(used.begin(), used.end(), &edge) != used.end()) continue;
    all.push_back({wave_of(piece, edge, front), nullptr, &edge});
    measure_front(piece, s.out, edge, all.back().wave);
  }
  return all;
}

/// Whether a node sticks for most of the rows from `row` on in the direction `step`, as far as it
/// is closed and for `count` rows at most.
bool sticks_beside(const Piece& piece, Index node, Index row, Index step, Index count) {
  Index stick = 0, slide = 0;
  for (Index j = row; j >= 0 && j < piece.rows && stick + slide < count; j += step) {
    const std::uint8_t status = piece.at(piece.line.status, node, j);
    if (status == is_open) break;
    ++(status == is_stick ? stick : slide);
  }
  return stick > slide;
}

/// A separation pulse is of Schallamach's type if most of its nodes stick before it and after it:
/// for most of a time as long as the opening, or until the next one.
void classify_separation(const Piece& piece, const StateEdges& open, Found& found) {
  std::size_t before = 0, after = 0;
  for (const EdgePoint& p : found.leading->points) {
    const Stretch& s = stretch_of(open.in, p);
    const Index count = s.end - s.begin;
    before += sticks_beside(piece, p.node, s.begin - 1, -1, count) ? 1 : 0;
    after += s.end >= piece.rows || sticks_beside(piece, p.node, s.end, 1, count) ? 1 : 0;
  }
  const std::size_t nodes = found.leading->points.size();
  if (2 * before > nodes && 2 * after > nodes) found.wave.type = WaveClass::schallamach;
}

/// Whether two edges pass most of the first one's nodes at the same time.
bool coincide(const Edge* a, const Edge* b, double tolerance) {
  if (!a || !b) return false;
  std::size_t same = 0;
  for (const EdgePoint& p : a->points)
    same += std::any_of(b->points.begin(), b->points.end(), [&](const EdgePoint& q) {
      return p.node == q.node && std::abs(p.t - q.t) <= tolerance;
    });
  return 2 * same >= a->points.size();
}

/// The waves of a piece that touches: what opens, and what stops to stick. An edge of opening that
/// is one of slip too counts once, as opening.
std::vector<Wave> contact_waves(const Piece& piece) {
  const StateEdges open =
      edges_of(piece, image_of(piece, [](std::uint8_t s) { return s == is_open; }));
  const StateEdges loose =
      edges_of(piece, image_of(piece, [](std::uint8_t s) { return s != is_stick; }));
  std::vector<Found> opening =
      pulses_and_fronts(piece, open, WaveClass::separation_pulse, WaveClass::separation_front);
  const std::vector<Found> slipping =
      pulses_and_fronts(piece, loose, WaveClass::slip_pulse, WaveClass::slip_front);
  std::vector<Wave> waves;
  for (Found& found : opening) {
    if (found.leading && found.trailing) classify_separation(piece, open, found);
    waves.push_back(found.wave);
  }
  const double tolerance = search_in(piece).tolerance;
  for (const Found& found : slipping)
    if (std::none_of(opening.begin(), opening.end(), [&](const Found& o) {
          return coincide(found.leading, o.leading, tolerance) ||
                 (!found.leading && coincide(found.trailing, o.trailing, tolerance));
        }))
      waves.push_back(found.wave);
  return waves;
}

/// Rate of change of the gap at row j, by central differences.
double gap_rate(const Piece& piece, Index node, Index j) {
  const Index a = std::max<Index>(j - 1, 0), b = std::min(j + 1, piece.rows - 1);
  return (double{piece.at(piece.line.gap, node, b)} - double{piece.at(piece.line.gap, node, a)}) /
         (piece.t[b] - piece.t[a]);
}

SpaceTime<double> signal_of(const Piece& piece, SurfaceSignal kind) {
  SpaceTime<double> tangential(piece.nodes, piece.rows), normal(piece.nodes, piece.rows);
  double largest_gap = 0.0;
  for (Index i = 0; i < piece.nodes; ++i)
    for (Index j = 0; j < piece.rows; ++j) {
      tangential(i, j) = std::abs(double{piece.at(piece.line.slip_velocity, i, j)});
      normal(i, j) = std::abs(gap_rate(piece, i, j));
      largest_gap = std::max(largest_gap, std::abs(double{piece.at(piece.line.gap, i, j)}));
    }
  // The gap is stored in single precision: its rate is known no better than this.
  const double grain = largest_gap * double{std::numeric_limits<float>::epsilon()} / piece.dt;
  const bool coarse = grain > 0.01 * std::max(tangential.maxCoeff(), normal.maxCoeff());
  if (kind == SurfaceSignal::normal) return normal;
  if (kind == SurfaceSignal::tangential || coarse) return tangential;
  return (tangential.array().square() + normal.array().square()).sqrt();
}

/// The waves of a piece that never touches.
std::vector<Wave> surface_waves(const Piece& piece) {
  const SpaceTime<double> signal = signal_of(piece, piece.options.signal);
  const double largest = signal.maxCoeff();
  if (!(largest > 0.0)) return {};
  const NodeStretches humps =
      find_humps(signal, piece.t, piece.options.surface_threshold * largest);
  std::vector<Wave> waves;
  for (const Edge& edge : find_edges(humps, search_in(piece))) {
    Wave wave = wave_of(piece, edge, WaveClass::surface_pulse);
    std::vector<double> durations, peaks;
    for (const EdgePoint& p : edge.points) {
      const Stretch& hump = stretch_of(humps, p);
      durations.push_back(piece.dt * (hump.end - hump.begin));
      peaks.push_back(hump.weight);
      wave.slip +=
          piece.slip_in(p.node, hump.begin, hump.end) / static_cast<double>(edge.points.size());
    }
    wave.duration = median(durations);
    wave.length = wave.duration * std::abs(wave.speed);
    wave.peak_velocity = median(peaks);
    waves.push_back(wave);
  }
  return waves;
}

std::vector<Wave> waves_of(const Piece& piece) {
  const auto status =
      piece.line.status.block(piece.row, piece.first, piece.rows, piece.nodes).array();
  return (status == is_open).all() ? surface_waves(piece) : contact_waves(piece);
}

/// The pieces of a line that have at least two nodes.
std::vector<Piece> pieces_of(const LineHistory& line, const Eigen::VectorXd& t, Index row,
                             Index rows, const TrackerOptions& options) {
  std::vector<Piece> pieces;
  for (Index first = 0, end = 0; first < line.x.size(); first = end) {
    while (end < line.x.size() && line.piece[end] == line.piece[first]) ++end;
    if (end - first < 2) continue;
    Piece piece{line,
                options,
                row,
                rows,
                first,
                end - first,
                line.x.segment(first, end - first),
                t.segment(row, rows)};
    piece.dt = median_step(piece.t);
    const double c_p = line.speeds.pressure;
    if (c_p > 0.0) piece.settle = options.settle * median_step(piece.x) / c_p;
    pieces.push_back(std::move(piece));
  }
  return pieces;
}

}  // namespace

std::vector<Wave> track_waves(const InterfaceHistory& history, const TrackerOptions& options) {
  std::vector<Wave> waves;
  const auto& t = history.t;
  const Index row = std::lower_bound(t.begin(), t.end(), options.from) - t.begin();
  const Index rows = std::upper_bound(t.begin(), t.end(), options.to) - t.begin() - row;
  if (rows < 2) return waves;
  for (const LineHistory& line : history.lines) {
    const auto of_line = static_cast<Index>(waves.size());
    for (const Piece& piece : pieces_of(line, t, row, rows, options)) {
      const std::vector<Wave> found = waves_of(piece);
      waves.insert(waves.end(), found.begin(), found.end());
    }
    std::stable_sort(waves.begin() + of_line, waves.end(),
                     [](const Wave& a, const Wave& b) { return a.start.t < b.start.t; });
  }
  return waves;
}

}  // namespace slipwave::app

package dev.pinion.bootstrap.diagram;

/** A point of a flow. */
record FlowPoint(double x, double y) {
  FlowPoint moved(double dx, double dy) {
    return new FlowPoint(x + dx, y + dy);
  }
}

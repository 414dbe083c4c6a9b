package dev.pinion.bootstrap.cli.topology;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Position of a part of a machine in a drawing: its parts lie in a grid below its title.
 *
 * @param part the part
 * @param x left edge within the enclosing box, in pixels
 * @param y upper edge within the enclosing box
 * @param width its width
 * @param height its height
 * @param boxes boxes of its parts
 */
record TopologyBox(
    TopologyNode part, int x, int y, int width, int height, List<TopologyBox> boxes) {
  /** Width of a CPU. */
  static final int CPU_WIDTH = 36;

  /** Height of a CPU. */
  static final int CPU_HEIGHT = 30;

  /** Space around CPUs in their core and between them. */
  static final int CORE_GAP = 3;

  private static final int GAP = 8;
  private static final int TITLE_HEIGHT = 20;
  private static final int TITLE_CHARACTER_WIDTH = 8;

  /** Wanted ratio of width to height of grids. */
  private static final double ASPECT = 1.7;

  /** Penalty of an empty place in a grid. */
  private static final double EMPTY_PENALTY = 0.6;

  TopologyBox {
    boxes = List.copyOf(boxes);
  }

  /** Lays a part out. */
  static TopologyBox of(TopologyNode part) {
    if (part.parts().isEmpty()) {
      int threads = part.cpus().size();
      int width = threads * (CPU_WIDTH + CORE_GAP) + CORE_GAP;
      return new TopologyBox(part, 0, 0, width, CPU_HEIGHT + 2 * CORE_GAP, List.of());
    }
    Grid grid = Grid.best(part.parts().stream().map(TopologyBox::of).toList());
    int title = part.title().length() + 8 + part.cpus().toString().length();
    int width = Math.max(grid.width(), title * TITLE_CHARACTER_WIDTH) + 2 * GAP;
    int height = grid.height() + TITLE_HEIGHT + GAP + GAP / 2;
    return new TopologyBox(part, 0, 0, width, height, grid.placed(GAP, TITLE_HEIGHT + GAP / 2));
  }

  /** Lays parts out side by side, as in a part that has no title. */
  static List<TopologyBox> row(List<TopologyNode> parts) {
    return Grid.best(parts.stream().map(TopologyBox::of).toList()).placed(0, 0);
  }

  private TopologyBox at(int newX, int newY) {
    return new TopologyBox(part, newX, newY, width, height, boxes);
  }

  /** Right edge. */
  int right() {
    return x + width;
  }

  /** Lower edge. */
  int bottom() {
    return y + height;
  }

  /** Boxes in columns and rows, each as large as its largest box. */
  private record Grid(List<TopologyBox> boxes, int columns) {
    static Grid best(List<TopologyBox> boxes) {
      return Collections.min(
          IntStream.rangeClosed(1, boxes.size()).mapToObj(n -> new Grid(boxes, n)).toList(),
          (a, b) -> Double.compare(a.badness(), b.badness()));
    }

    private int rows() {
      return (boxes.size() + columns - 1) / columns;
    }

    private double badness() {
      double empty = (double) (rows() * columns - boxes.size()) / boxes.size();
      double aspect = (double) width() / height();
      return Math.abs(Math.log(aspect / ASPECT)) + EMPTY_PENALTY * empty;
    }

    private int columnWidth(int column) {
      return boxesOf(column, columns).stream().mapToInt(TopologyBox::width).max().orElse(0);
    }

    private int rowHeight(int row) {
      return boxes.subList(row * columns, Math.min(boxes.size(), (row + 1) * columns)).stream()
          .mapToInt(TopologyBox::height)
          .max()
          .orElse(0);
    }

    private List<TopologyBox> boxesOf(int column, int step) {
      return IntStream.iterate(column, i -> i < boxes.size(), i -> i + step)
          .mapToObj(boxes::get)
          .toList();
    }

    int width() {
      return IntStream.range(0, columns).map(c -> columnWidth(c) + GAP).sum() - GAP;
    }

    int height() {
      return IntStream.range(0, rows()).map(r -> rowHeight(r) + GAP).sum() - GAP;
    }

    List<TopologyBox> placed(int left, int top) {
      List<TopologyBox> placed = new ArrayList<>();
      int y = top;
      for (int row = 0; row < rows(); row++) {
        int x = left;
        for (int column = 0; column < columns && placed.size() < boxes.size(); column++) {
          placed.add(boxes.get(placed.size()).at(x, y));
          x += columnWidth(column) + GAP;
        }
        y += rowHeight(row) + GAP;
      }
      return placed;
    }
  }
}

package dev.pinion.bootstrap.profile;

import java.util.ArrayList;
import java.util.List;

/**
 * The packages of methods, at a level: how many parts of their names are kept, so that the packages
 * of a library become one.
 *
 * @param level parts of a name that are kept, {@value #MIN_LEVEL} to {@value #MAX_LEVEL}
 * @param folded whether packages of the platform are left to those that called them
 */
public record Packages(int level, boolean folded) {
  /** The fewest parts of a name. */
  public static final int MIN_LEVEL = 2;

  /** The most parts of a name. */
  public static final int MAX_LEVEL = 6;

  /** Parts that tell libraries, and the parts of the engine, from each other. */
  public static final int DEFAULT_LEVEL = 4;

  /** Packages that everybody builds on, so that they tell little of who works. */
  private static final List<String> LOW_LEVEL =
      List.of("java.", "javax.", "jdk.", "sun.", "com.sun.");

  /**
   * Checks the level.
   *
   * @throws IllegalArgumentException when it is out of its bounds
   */
  public Packages {
    if (level < MIN_LEVEL || level > MAX_LEVEL) {
      throw new IllegalArgumentException(
          "expected a package level of " + MIN_LEVEL + " to " + MAX_LEVEL + ", found " + level);
    }
  }

  /** The package of a method such as {@code a.b.Class.method}; what is in brackets is its own. */
  String of(String frame) {
    if (frame.startsWith("(")) {
      return frame;
    }
    int method = frame.lastIndexOf('.');
    int type = method < 0 ? -1 : frame.lastIndexOf('.', method - 1);
    return type < 0 ? "(no package)" : shortened(frame.substring(0, type));
  }

  private String shortened(String name) {
    int end = -1;
    for (int part = 0; part < level; part++) {
      end = name.indexOf('.', end + 1);
      if (end < 0) {
        return name;
      }
    }
    return name.substring(0, end);
  }

  /** Whether a method belongs to the platform. */
  static boolean isLowLevel(String frame) {
    return LOW_LEVEL.stream().anyMatch(frame::startsWith);
  }

  /**
   * The methods that count, the outermost first: all, or, folded, those above the platform. A stack
   * of the platform alone stays.
   */
  List<String> counted(List<String> stack) {
    if (!folded) {
      return stack;
    }
    List<String> own = stack.stream().filter(each -> !isLowLevel(each)).toList();
    return own.isEmpty() ? stack : own;
  }

  /** The packages of a stack, the outermost first, each run of one package once. */
  List<String> runs(List<String> stack) {
    List<String> runs = new ArrayList<>();
    for (String frame : counted(stack)) {
      String name = of(frame);
      if (runs.isEmpty() || !runs.getLast().equals(name)) {
        runs.add(name);
      }
    }
    return runs;
  }
}

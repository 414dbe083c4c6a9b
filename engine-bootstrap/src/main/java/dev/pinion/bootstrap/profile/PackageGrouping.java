package dev.pinion.bootstrap.profile;

import java.util.ArrayList;
import java.util.List;

/**
 * The packages of methods, at a level: the number of parts of their names that are kept, so that
 * the packages of a library become one.
 *
 * @param level parts of a name that are kept, {@value #MIN_LEVEL} to {@value #MAX_LEVEL}
 * @param folded whether packages of the platform count for their callers
 */
public record PackageGrouping(int level, boolean folded) {
  /** Fewest parts of a name. */
  public static final int MIN_LEVEL = 2;

  /** Most parts of a name. */
  public static final int MAX_LEVEL = 6;

  /** Parts that distinguish libraries, and components of the engine. */
  public static final int DEFAULT_LEVEL = 4;

  /** Packages used by all code, which say little about its author. */
  private static final List<String> LOW_LEVEL =
      List.of("java.", "javax.", "jdk.", "sun.", "com.sun.");

  /**
   * Checks the level.
   *
   * @throws IllegalArgumentException when it is out of its bounds
   */
  public PackageGrouping {
    if (level < MIN_LEVEL || level > MAX_LEVEL) {
      throw new IllegalArgumentException(
          "expected a package level of " + MIN_LEVEL + " to " + MAX_LEVEL + ", found " + level);
    }
  }

  /**
   * The package of a method such as {@code a.b.Class.method}; a name in brackets is its own
   * package.
   */
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
   * Methods of a stack that count, the outermost first: all, or, if folded, those outside the
   * platform. A stack of platform methods only stays.
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

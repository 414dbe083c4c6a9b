package dev.pinion.core.jq;

import java.util.Random;

/** Makes random expressions and data. Avoids the known differences of jackson-jq. */
final class RandomJq {
  private static final String[] KEYS = {"a", "b", "c"};
  private static final String[] BINARY = {
    "+", "-", "==", "!=", "<", "<=", ">", ">=", "and", "or", ","
  };
  private static final String[] PLAIN = {
    "length",
    "keys",
    "add",
    "type",
    "not",
    "tostring",
    "to_entries",
    "sort",
    "unique",
    "min",
    "max",
    "any",
    "all",
    "flatten",
    "first",
    "last",
    "tojson",
    "ascii_downcase",
    "explode",
    "values",
    "arrays",
    "objects",
    "scalars",
    "tonumber",
    "utf8bytelength"
  };
  private static final String[] FILTERED = {
    "map",
    "select",
    "sort_by",
    "group_by",
    "unique_by",
    "min_by",
    "max_by",
    "first",
    "contains",
    "startswith",
    "endswith",
    "split",
    "join"
  };

  private final Random random;

  RandomJq(Random random) {
    this.random = random;
  }

  private String one(String... choices) {
    return choices[random.nextInt(choices.length)];
  }

  String expression(int depth) {
    if (depth == 0) {
      return leaf();
    }
    return switch (random.nextInt(22)) {
      case 0, 1 -> leaf();
      case 2, 3 -> "(" + expression(depth - 1) + " | " + expression(depth - 1) + ")";
      case 4, 5 ->
          "(" + expression(depth - 1) + " " + one(BINARY) + " " + expression(depth - 1) + ")";
      case 6 -> "[" + expression(depth - 1) + "]";
      case 7 -> "{" + one(KEYS) + ": " + expression(depth - 1) + "}";
      case 8 ->
          "(if "
              + expression(depth - 1)
              + " then "
              + expression(depth - 1)
              + " else "
              + expression(depth - 1)
              + " end)";
      case 9 -> "([try " + expression(depth - 1) + " catch 7] | .[])";
      case 10 -> "(" + expression(depth - 1) + " as $x | [$x, " + expression(depth - 1) + "])";
      case 11 -> "(reduce " + expression(depth - 1) + " as $x (0; [., $x] | length))";
      case 12 -> one(FILTERED) + "(" + expression(depth - 1) + ")";
      case 13 -> "(" + expression(depth - 1) + " | " + one(PLAIN) + ")";
      case 14 -> "\"<\\(" + expression(depth - 1) + ")>\"";
      case 15 -> "(" + one(".a?", ".[]?", "null", "3") + " // " + expression(depth - 1) + ")";
      case 16 -> "(" + path() + " = " + expression(depth - 1) + ")";
      case 17 -> "(" + path() + " |= [" + expression(depth - 1) + "])";
      case 18 -> "(" + path() + " += (" + expression(depth - 1) + "))";
      case 19 -> "(foreach .[]? as [$x, $y] (0; [$x, $y, .] | length; [., $x]))";
      case 20 -> "(def f(g): g | g; f(" + expression(depth - 1) + "))";
      default -> "[limit(2; " + expression(depth - 1) + ")]";
    };
  }

  private String leaf() {
    return switch (random.nextInt(8)) {
      case 0, 1 -> ".";
      case 2 -> "." + one(KEYS);
      case 3 -> ".[]?";
      case 4 -> "." + one(KEYS) + "?";
      case 5 -> one("0", "1", "2", "-1", "1.5", "100");
      case 6 -> one("\"a\"", "\"b,c\"", "\"\"", "\"12\"");
      default ->
          one("null", "true", "false", "[]", "{}", "[1,2]", "{\"a\":1}", ".[0]?", ".[1:]?", "..");
    };
  }

  private String path() {
    return one(".a", ".b.c", ".[0]", ".a[1]", ".c", ".[]");
  }

  /** JSON text. */
  String data(int depth) {
    int kind = random.nextInt(depth == 0 ? 5 : 8);
    return switch (kind) {
      case 0 -> "null";
      case 1 -> one("true", "false");
      case 2 -> one("0", "1", "-3", "2.5", "1000000");
      case 3, 4 -> one("\"\"", "\"a\"", "\"b,c\"", "\"\u00e9\"", "\"7\"");
      case 5 -> "[" + data(depth - 1) + "," + data(depth - 1) + "]";
      case 6 -> "[" + data(depth - 1) + "]";
      default ->
          "{\"a\":" + data(depth - 1) + ",\"" + one("b", "c") + "\":" + data(depth - 1) + "}";
    };
  }
}

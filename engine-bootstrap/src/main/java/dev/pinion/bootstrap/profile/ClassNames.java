package dev.pinion.bootstrap.profile;

import java.util.Map;
import java.util.regex.Pattern;

/** Readable names of classes, the same in every run. */
final class ClassNames {
  /** Suffix of hidden classes, or of the class that they serve. */
  private static final Pattern HIDDEN =
      Pattern.compile("[/.+]0x[0-9a-f]+|(?<=\\$\\$Lambda)\\$?\\d+");

  private static final Map<Character, String> PRIMITIVES =
      Map.of(
          'Z', "boolean", 'B', "byte", 'C', "char", 'S', "short", 'I', "int", 'J', "long", 'F',
          "float", 'D', "double");

  private ClassNames() {}

  /** The name without addresses, and arrays as {@code byte[]} instead of {@code [B}. */
  static String readable(String name) {
    int dimensions = 0;
    while (dimensions < name.length() && name.charAt(dimensions) == '[') {
      dimensions++;
    }
    String element = HIDDEN.matcher(name.substring(dimensions)).replaceAll("");
    return dimensions == 0 ? element : element(element) + "[]".repeat(dimensions);
  }

  private static String element(String descriptor) {
    if (descriptor.length() == 1) {
      return PRIMITIVES.getOrDefault(descriptor.charAt(0), descriptor);
    }
    return descriptor.startsWith("L") && descriptor.endsWith(";")
        ? descriptor.substring(1, descriptor.length() - 1)
        : descriptor;
  }
}

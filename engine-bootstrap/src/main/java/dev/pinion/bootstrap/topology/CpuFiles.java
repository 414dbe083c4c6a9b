package dev.pinion.bootstrap.topology;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads values of single files under {@code sys/devices/system}; what is unreadable is null. */
final class CpuFiles {
  static final String CPU = "sys/devices/system/cpu";
  static final String NODE = "sys/devices/system/node";

  private static final Pattern SIZE = Pattern.compile("(\\d+)([KMG]?)");

  private final FileTree files;

  CpuFiles(FileTree files) {
    this.files = files;
  }

  @Nullable String text(String path) {
    return files.read(path);
  }

  @Nullable Integer number(String path) {
    String text = files.read(path);
    try {
      return text == null ? null : Integer.valueOf(text);
    } catch (NumberFormatException e) {
      return null;
    }
  }

  /** A size such as {@code 512K}, in bytes. */
  @Nullable Long size(String path) {
    String text = files.read(path);
    Matcher matcher = SIZE.matcher(text == null ? "" : text);
    if (!matcher.matches()) {
      return null;
    }
    int shift =
        switch (matcher.group(2)) {
          case "K" -> 10;
          case "M" -> 20;
          case "G" -> 30;
          default -> 0;
        };
    return Long.parseLong(matcher.group(1)) << shift;
  }

  /** A set given as a list. */
  @Nullable CpuSet list(String path) {
    String text = files.read(path);
    try {
      return text == null ? null : CpuSet.parse(text);
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  /** A set given as a list in one file or else as a mask in another. */
  @Nullable CpuSet listOrMask(String listPath, String maskPath) {
    CpuSet list = list(listPath);
    if (list != null && !list.isEmpty()) {
      return list;
    }
    String mask = files.read(maskPath);
    try {
      return mask == null ? list : CpuSet.parseMask(mask);
    } catch (IllegalArgumentException e) {
      return list;
    }
  }

  /** The numbers behind a prefix in the names of a folder. */
  CpuSet numbered(String folder, String prefix) {
    return CpuSet.of(
        files.names(folder).stream()
            .filter(name -> name.startsWith(prefix))
            .map(name -> name.substring(prefix.length()))
            .filter(rest -> !rest.isEmpty() && rest.length() <= 5)
            .filter(rest -> rest.chars().allMatch(c -> c >= '0' && c <= '9'))
            .mapToInt(Integer::parseInt));
  }
}

package dev.pinion.bootstrap.topology;

import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads values of single files under {@code sys/devices/system}; unreadable values are null.
 *
 * <p>Every start of an engine waits for the probe, most of whose code runs once. So this class and
 * the readers use plain loops: a first regular expression, stream or switch over strings costs
 * milliseconds, more than reading the files.
 */
final class SysfsCpuFiles {
  static final String CPU = "sys/devices/system/cpu";
  static final String NODE = "sys/devices/system/node";

  /** Most digits of a number that always fits into a long. */
  private static final int MAX_DIGITS = 18;

  /** Most digits of a number in the name of a folder. */
  private static final int MAX_NAME_DIGITS = 5;

  private final FileTree files;
  private final List<String> notes;
  private boolean unreadable;

  /**
   * Reads files.
   *
   * @param notes receives a note about the first invalid list or mask
   */
  SysfsCpuFiles(FileTree files, List<String> notes) {
    this.files = files;
    this.notes = notes;
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
    if (text == null || text.isEmpty()) {
      return null;
    }
    int shift =
        switch (text.charAt(text.length() - 1)) {
          case 'K' -> 10;
          case 'M' -> 20;
          case 'G' -> 30;
          default -> 0;
        };
    String digits = shift == 0 ? text : text.substring(0, text.length() - 1);
    return isNumber(digits) ? Long.parseLong(digits) << shift : null;
  }

  private static boolean isNumber(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) < '0' || text.charAt(i) > '9') {
        return false;
      }
    }
    return !text.isEmpty() && text.length() <= MAX_DIGITS;
  }

  /** A set given as a list. */
  @Nullable CpuSet list(String path) {
    String text = files.read(path);
    try {
      return text == null ? null : CpuSet.parse(text);
    } catch (IllegalArgumentException e) {
      noteUnreadable(path);
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
      return mask == null || mask.isEmpty() ? list : CpuSet.parseMask(mask);
    } catch (IllegalArgumentException e) {
      noteUnreadable(maskPath);
      return list;
    }
  }

  private void noteUnreadable(String path) {
    if (!unreadable) {
      unreadable = true;
      notes.add(
          "/" + path + " names CPUs in a way that cannot be read: such files count as missing");
    }
  }

  /** The numbers after a prefix in the names of a folder. */
  CpuSet numbered(String folder, String prefix) {
    BitSet found = new BitSet();
    for (String name : files.names(folder)) {
      if (name.startsWith(prefix)) {
        String rest = name.substring(prefix.length());
        if (rest.length() <= MAX_NAME_DIGITS && isNumber(rest)) {
          found.set(Integer.parseInt(rest));
        }
      }
    }
    return CpuSet.of(found);
  }
}

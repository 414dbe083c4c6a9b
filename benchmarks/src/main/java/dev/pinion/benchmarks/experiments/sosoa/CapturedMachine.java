package dev.pinion.benchmarks.experiments.sosoa;

import dev.pinion.bootstrap.topology.FileTree;
import dev.pinion.bootstrap.topology.SysfsProbe;
import dev.pinion.bootstrap.topology.Topology;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A machine that was captured elsewhere as a file: a line for each file of its sysfs and procfs
 * with path, tab and content, in which {@code \n}, {@code \t} and {@code \\} are escaped.
 *
 * @param name name of the machine
 * @param topology topology of the machine
 */
public record CapturedMachine(String name, Topology topology) {
  private static final String ENDING = ".tree";

  /** Most bytes of a file. */
  static final long MAX_BYTES = 64L << 20;

  /**
   * Reads a captured machine.
   *
   * @throws IOException with a sentence for people when the file contains none
   */
  public static CapturedMachine read(Path file) throws IOException {
    Map<String, String> tree = new HashMap<>();
    for (String line : lines(file)) {
      int tab = line.indexOf('\t');
      if (tab > 0) {
        tree.put(line.substring(0, tab), unescaped(line.substring(tab + 1)));
      }
    }
    String name = String.valueOf(file.getFileName());
    try {
      return new CapturedMachine(
          name.endsWith(ENDING) ? name.substring(0, name.length() - ENDING.length()) : name,
          SysfsProbe.probe(FileTree.of(tree)));
    } catch (IllegalStateException e) {
      throw new IOException(
          "expected a captured machine (--machine) in " + file + ": " + e.getMessage(), e);
    }
  }

  private static List<String> lines(Path file) throws IOException {
    if (Files.isDirectory(file)) {
      throw new IOException("expected a captured machine (--machine), found the folder " + file);
    }
    if (!Files.isReadable(file)) {
      throw new IOException(
          "expected a captured machine (--machine), found no file that can be read at " + file);
    }
    if (Files.size(file) > MAX_BYTES) {
      throw new IOException(
          "expected a captured machine (--machine) of at most "
              + MAX_BYTES
              + " bytes, found more in "
              + file);
    }
    try {
      return Files.readAllLines(file);
    } catch (CharacterCodingException e) {
      throw new IOException(
          "expected a captured machine (--machine) in " + file + ", found bytes that are no text",
          e);
    }
  }

  private static String unescaped(String text) {
    StringBuilder out = new StringBuilder();
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '\\' && i + 1 < text.length()) {
        i++;
        char escaped = text.charAt(i);
        out.append(escaped == 'n' ? '\n' : escaped == 't' ? '\t' : escaped);
      } else {
        out.append(c);
      }
    }
    return out.toString();
  }
}

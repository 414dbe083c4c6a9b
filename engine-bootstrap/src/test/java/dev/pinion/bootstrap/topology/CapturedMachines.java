package dev.pinion.bootstrap.topology;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Machines captured on other hosts, read from the folder that {@code pinion.topology} names. */
public final class CapturedMachines {
  private static final ObjectMapper JSON = new ObjectMapper();

  private CapturedMachines() {}

  /**
   * A captured machine.
   *
   * @param name its name
   * @param tree its files
   * @param expected known facts about it
   */
  public record Machine(String name, Map<String, String> tree, JsonNode expected) {
    /** Result of the probe. */
    public Topology probe() {
      return SysfsProbe.probe(FileTree.of(tree));
    }

    /** For the names of tests. */
    @Override
    public String toString() {
      return name;
    }
  }

  /** All machines; skips the test where they are missing. */
  public static List<Machine> all() throws IOException {
    Path folder =
        Path.of(System.getProperty("pinion.topology", "../../shared/topology"), "machines");
    assumeTrue(
        Files.isDirectory(folder),
        "captured machines are missing: expected them in " + folder + " (-Dpinion.topology)");
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .filter(file -> file.toString().endsWith(".tree"))
          .sorted()
          .map(CapturedMachines::read)
          .toList();
    }
  }

  private static Machine read(Path file) {
    String name = String.valueOf(file.getFileName()).replace(".tree", "");
    Map<String, String> tree = new HashMap<>();
    try {
      for (String line : Files.readString(file).split("\n", -1)) {
        int tab = line.indexOf('\t');
        if (tab > 0) {
          tree.put(line.substring(0, tab), unescaped(line.substring(tab + 1)));
        }
      }
      Path expected = file.resolveSibling(name + ".expected.json");
      return new Machine(name, tree, JSON.readTree(expected.toFile()));
    } catch (IOException e) {
      throw new IllegalStateException("cannot read " + file, e);
    }
  }

  private static String unescaped(String text) {
    StringBuilder out = new StringBuilder();
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '\\' && i + 1 < text.length()) {
        i++;
        switch (text.charAt(i)) {
          case 'n' -> out.append('\n');
          case 't' -> out.append('\t');
          default -> out.append(text.charAt(i));
        }
      } else {
        out.append(c);
      }
    }
    return out.toString();
  }
}

package dev.pinion.bootstrap.conformance;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Scenarios of the own suite, which is packaged with the engine, and of folders. */
public final class FeatureLibrary {
  /** Bytes of the largest feature file read. */
  static final long MAX_BYTES = 4 << 20;

  private static final String SUITE = "/conformance/";
  private static final String EXTENSION = ".feature";

  private FeatureLibrary() {}

  /** The own suite, in the order of its index. */
  public static List<Scenario> ownSuite() throws IOException, FeatureSyntaxException {
    List<Scenario> scenarios = new ArrayList<>();
    for (String name : resource("index.txt").lines().toList()) {
      scenarios.addAll(FeatureParser.parse(name + EXTENSION, resource(name + EXTENSION)));
    }
    return List.copyOf(scenarios);
  }

  /** A file beside the features of the own suite. */
  static String resource(String name) throws IOException {
    try (InputStream in = FeatureLibrary.class.getResourceAsStream(SUITE + name)) {
      if (in == null) {
        throw new IOException("expected " + SUITE + name + " on the class path, found none");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  /**
   * The scenarios of all feature files of a folder and those below it, by name of the file.
   *
   * @throws IOException when the folder cannot be read or has no such file
   */
  public static List<Scenario> in(Path folder) throws IOException, FeatureSyntaxException {
    List<Path> files;
    try (Stream<Path> all = Files.walk(folder)) {
      files = all.filter(each -> each.toString().endsWith(EXTENSION)).sorted().toList();
    }
    if (files.isEmpty()) {
      throw new IOException("expected files *" + EXTENSION + " in " + folder + ", found none");
    }
    List<Scenario> scenarios = new ArrayList<>();
    for (Path file : files) {
      if (Files.size(file) > MAX_BYTES) {
        throw new IOException(
            file + ": expected at most " + MAX_BYTES + " bytes, found " + Files.size(file));
      }
      scenarios.addAll(FeatureParser.parse(file.toString(), Files.readString(file)));
    }
    return List.copyOf(scenarios);
  }
}

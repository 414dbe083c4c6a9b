package dev.pinion.benchmarks.experiments.dharch;

import dev.pinion.benchmarks.experiment.MeasurementException;
import dev.pinion.benchmarks.testbed.Testbed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Documents of chains for servers of a testbed. */
final class ChainFiles {
  private ChainFiles() {}

  /** Writes a document; returns its path. */
  static String write(Testbed testbed, String name, String document) throws MeasurementException {
    try {
      Path file = testbed.data(name + ".yaml");
      Files.writeString(file, document);
      return file.toString();
    } catch (IOException e) {
      throw new MeasurementException("expected to write chains for " + name + ", found: " + e, e);
    }
  }
}

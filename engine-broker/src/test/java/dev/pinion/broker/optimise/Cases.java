package dev.pinion.broker.optimise;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.pinion.broker.document.ProblemLimits;
import dev.pinion.broker.document.ProblemReader;
import dev.pinion.broker.document.ProblemReading;
import dev.pinion.broker.model.BrokerProblem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * Reference cases, from the folder in the property {@code pinion.broker} and from this repository.
 */
public final class Cases {
  private static final ObjectMapper JSON = new ObjectMapper();

  private Cases() {}

  /**
   * A case.
   *
   * @param name its file
   * @param problem the problem
   * @param expected the known part of the solution
   */
  public record Case(String name, BrokerProblem problem, JsonNode expected) {
    /** Name for tests. */
    @Override
    public String toString() {
      return name;
    }
  }

  /** The cases next to the repository; skips the test when they are missing. */
  public static List<Case> reference() throws IOException {
    Path folder = Path.of(System.getProperty("pinion.broker", "../../shared/broker"), "cases");
    assumeTrue(
        Files.isDirectory(folder),
        "reference cases are missing: expected them in " + folder + " (-Dpinion.broker)");
    return in(folder);
  }

  /** The cases of this repository. */
  public static List<Case> own() throws IOException {
    return in(Path.of("src/test/resources/cases"));
  }

  private static List<Case> in(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .filter(file -> file.toString().endsWith(".json"))
          .sorted()
          .map(Cases::read)
          .toList();
    }
  }

  private static Case read(Path file) {
    try {
      byte[] text = Files.readAllBytes(file);
      ProblemReading problemReading = new ProblemReader(ProblemLimits.defaults()).read(text);
      if (problemReading instanceof ProblemReading.ValidProblem(BrokerProblem problem)) {
        return new Case(
            String.valueOf(file.getFileName()), problem, JSON.readTree(text).path("expected"));
      }
      throw new IllegalStateException(
          "expected a problem in " + file + ", found " + problemReading);
    } catch (IOException e) {
      throw new IllegalStateException("cannot read " + file, e);
    }
  }
}

package dev.pinion.core.language;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.pinion.core.document.DocumentReader;
import dev.pinion.core.document.DocumentSyntaxException;
import dev.pinion.core.document.YamlReader;
import dev.pinion.core.limits.EngineLimits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Runs the inputs of yaml-test-suite through the reader. */
class YamlTestSuiteTest {
  /** YAML features that definitions have no use for; see {@link YamlReader}. */
  private static final Pattern DOCUMENTED_CHOICE =
      Pattern.compile(
          "expected (one document|a string as key|each key once|no tag|a document, found nothing"
              + "|a number that JSON|a value that fits its tag|an alias of a value).*");

  private static final Pattern TAB = Pattern.compile("—*»");
  private static final Pattern NO_FINAL_LINE_FEED = Pattern.compile("∎\n?$");

  /** At least as many as the library recognises today; a lower number is a regression. */
  private static final int FLOOR_INVALID = 87;

  private static final int FLOOR_VALID = 260;

  /** Inputs that the library reads to another value than the suite expects. */
  private static final List<String> DIFFERENT = List.of("L24T.yaml#1");

  private record Input(String name, String yaml, boolean invalid, @Nullable String json) {}

  private final DocumentReader reader = new DocumentReader(EngineLimits.defaults());
  private final ObjectMapper json = new ObjectMapper();

  @Test
  void shouldAcceptValidInputsAndRejectInvalidOnes() throws IOException {
    int accepted = 0;
    int chosen = 0;
    int rejected = 0;
    int compared = 0;
    List<String> different = new ArrayList<>();
    List<String> validRejected = new ArrayList<>();
    List<String> invalidAccepted = new ArrayList<>();
    List<Input> inputs = inputs();
    for (Input input : inputs) {
      try {
        JsonNode read = reader.read(input.yaml, DocumentReader.YAML).json();
        if (input.invalid) {
          invalidAccepted.add(input.name);
        } else {
          accepted++;
          Boolean same = compare(input, read);
          compared += same == null ? 0 : 1;
          if (Boolean.FALSE.equals(same)) {
            different.add(input.name);
          }
        }
      } catch (DocumentSyntaxException e) {
        if (input.invalid) {
          rejected++;
        } else if (DOCUMENTED_CHOICE.matcher(e.problem()).matches()) {
          chosen++;
        } else {
          validRejected.add(input.name + ": " + e.problem());
        }
      }
    }
    System.out.printf(
        "yaml-test-suite: %d inputs; valid: %d accepted (%d compared with JSON), %d refused by"
            + " choice, %d refused by the library; invalid: %d rejected, accepted: %s%n",
        inputs.size(), accepted, compared, chosen, validRejected.size(), rejected, invalidAccepted);
    assertTrue(rejected >= FLOOR_INVALID, () -> "invalid and accepted: " + invalidAccepted);
    assertTrue(accepted + chosen >= FLOOR_VALID, () -> "valid and refused: " + validRejected);
    assertTrue(compared > 150, "compared " + compared);
    assertEquals(DIFFERENT, different);
  }

  /** Whether the value read is the one in the suite, or null when the suite has none. */
  private @Nullable Boolean compare(Input input, JsonNode read) throws IOException {
    return (input.json == null || input.json.isBlank())
        ? null
        : json.readTree(input.json).equals(json.readTree(read.toString()));
  }

  private static List<Input> inputs() throws IOException {
    Path directory = Suites.directory("pinion.suites", "yaml-test-suite/src");
    List<Input> inputs = new ArrayList<>();
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : files.sorted().toList()) {
        inputs.addAll(inputs(file));
      }
    }
    assertEquals(402, inputs.size());
    return inputs;
  }

  private static List<Input> inputs(Path file) throws IOException {
    List<Input> inputs = new ArrayList<>();
    String yaml = "";
    int index = 0;
    boolean skipped = false;
    for (JsonNode test : suiteFile(file)) {
      skipped |= test.path("skip").asBoolean();
      yaml = test.has("yaml") ? decode(test.get("yaml").asText()) : yaml;
      if (!skipped) {
        JsonNode expected = test.path("json");
        inputs.add(
            new Input(
                file.getFileName() + "#" + index,
                yaml,
                test.path("fail").asBoolean(),
                expected.isTextual() ? expected.asText() : null));
      }
      index++;
    }
    return inputs;
  }

  private static JsonNode suiteFile(Path file) throws IOException {
    try {
      return new DocumentReader(EngineLimits.defaults())
          .read(Files.readString(file), DocumentReader.YAML)
          .json();
    } catch (DocumentSyntaxException e) {
      throw new IOException(file + ": " + e.problem(), e);
    }
  }

  private static String decode(String text) {
    String plain = TAB.matcher(text).replaceAll("\t");
    plain = NO_FINAL_LINE_FEED.matcher(plain).replaceAll("");
    return plain.replace("␣", " ").replace("↵", "").replace("←", "\r").replace("⇔", "\uFEFF");
  }
}

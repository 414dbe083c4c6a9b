package dev.pinion.handlers.builtin.data;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.model.Payload;
import dev.pinion.handlers.api.Handler;
import dev.pinion.handlers.api.Message;
import dev.pinion.handlers.builtin.HandlerTrial;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Bodies that are checked against a schema. */
class SchemaCheckTest {
  private static final String SCHEMA =
      "{\"type\": \"object\", \"required\": [\"total\"],"
          + " \"properties\": {\"total\": {\"type\": \"integer\", \"minimum\": 0}}}";

  @TempDir Path folder;

  private static Message message(String json) {
    return HandlerTrial.message(Map.of(), HandlerTrial.json(json));
  }

  @Test
  void shouldLetThroughWhatMatches() throws Exception {
    try (Handler check =
        HandlerTrial.handler(new SchemaCheckFactory(), "{\"schema\": " + SCHEMA + "}")) {
      Message good = message("{\"total\": 7}");
      assertEquals(good, HandlerTrial.after(check, good));
      String stopped = HandlerTrial.stopped(check, message("{\"total\": -1}"));
      assertTrue(stopped.startsWith("400 ") && stopped.contains("/total"), stopped);
      assertTrue(HandlerTrial.stopped(check, message("[]")).startsWith("400 "));
    }
  }

  @Test
  void shouldLookAtAPart() throws Exception {
    Path file = Files.writeString(folder.resolve("schema.json"), SCHEMA);
    String settings = "{\"pointer\": \"/order\", \"file\": " + Payload.of(file.toString()) + "}";
    try (Handler check = HandlerTrial.handler(new SchemaCheckFactory(), settings)) {
      HandlerTrial.after(check, message("{\"order\": {\"total\": 7}, \"total\": \"x\"}"));
      assertTrue(HandlerTrial.stopped(check, message("{\"order\": {}}")).contains("total"));
      assertTrue(HandlerTrial.stopped(check, message("{}")).contains("found none"));
    }
  }

  @Test
  void shouldStopAtTheBoundOfSteps() throws Exception {
    String schema = "{\"schema\": {\"items\": {\"type\": \"integer\"}}, \"maxSteps\": 1000}";
    try (Handler check = HandlerTrial.handler(new SchemaCheckFactory(), schema)) {
      HandlerTrial.after(check, message("[1,2,3]"));
      String stopped = HandlerTrial.stopped(check, message("[" + "1,".repeat(2_000) + "1]"));
      assertTrue(stopped.startsWith("400 ") && stopped.contains("1000 steps"), stopped);
    }
  }

  @Test
  void shouldSayWhatIsWrongWithSchemas() throws Exception {
    String wrong =
        HandlerTrial.problems(new SchemaCheckFactory(), "{\"schema\": {\"type\": \"integr\"}}");
    assertTrue(wrong.contains("/settings/schema: at \"/type\""), wrong);
    String away =
        HandlerTrial.problems(
            new SchemaCheckFactory(), "{\"schema\": {\"$ref\": \"https://example.com/s\"}}");
    assertTrue(away.contains("/settings/schema"), away);
    String both =
        HandlerTrial.problems(new SchemaCheckFactory(), "{\"schema\": true, \"file\": \"/no\"}");
    assertTrue(both.contains("expected one of the settings"), both);
    Path file = Files.writeString(folder.resolve("schema.json"), "{");
    String broken =
        HandlerTrial.problems(
            new SchemaCheckFactory(), "{\"file\": " + Payload.of(file.toString()) + "}");
    assertTrue(broken.contains("expected a JSON Schema"), broken);
  }
}

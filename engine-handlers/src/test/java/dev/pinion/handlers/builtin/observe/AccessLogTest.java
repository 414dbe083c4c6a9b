package dev.pinion.handlers.builtin.observe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.pinion.core.model.Payload;
import dev.pinion.handlers.api.Declaration;
import dev.pinion.handlers.api.Handler;
import dev.pinion.handlers.api.Metered;
import dev.pinion.handlers.api.Slot;
import dev.pinion.handlers.api.View;
import dev.pinion.handlers.builtin.HandlerTrial;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Lines of JSON in rotated files. */
class AccessLogTest {
  private static final JsonMapper MAPPER = new JsonMapper();

  @TempDir Path folder;
  private final HandlerTrial.Hands clock = new HandlerTrial.Hands();

  private String settings(String more) {
    return "{\"file\": " + Payload.of(folder.resolve("access.log").toString()) + more + "}";
  }

  private Handler handler(String more) throws Exception {
    return HandlerTrial.handler(new AccessLogFactory(clock), settings(more));
  }

  private List<JsonNode> lines(String name) throws IOException {
    List<JsonNode> lines = new ArrayList<>();
    for (String line : Files.readAllLines(folder.resolve(name))) {
      lines.add(MAPPER.readTree(line));
    }
    return lines;
  }

  @Test
  void shouldWriteWhatIsQueuedBeforeItCloses() throws Exception {
    try (Handler log = handler("")) {
      for (int i = 0; i < 1_000; i++) {
        HandlerTrial.after(
            log,
            HandlerTrial.message(
                Map.of(
                    "http.method", "POST",
                    "http.path", "/a\"\n/" + i,
                    "http.status", "200",
                    "client.address", "127.0.0.1",
                    "header.authorization", "secret"),
                HandlerTrial.json("{\"n\": " + i + "}")));
      }
    }
    List<JsonNode> lines = lines("access.log");
    assertEquals(1_000, lines.size());
    JsonNode line = lines.get(7);
    assertEquals("2023-11-14T22:13:20Z", line.path("@timestamp").asText());
    assertEquals("POST", line.path("http.request.method").asText());
    assertEquals("/a\"\n/7", line.path("url.path").asText());
    assertEquals(200, line.path("http.response.status_code").intValue());
    assertEquals("127.0.0.1", line.path("client.address").asText());
    assertEquals(8, line.path("http.body.bytes").intValue());
    assertEquals("application/json", line.path("http.body.mime_type").asText());
    assertEquals("REQUEST_IN", line.path("pinion.point").asText());
    assertFalse(line.has("user.name"));
    assertFalse(line.toString().contains("secret"), "only what was asked for");
  }

  @Test
  void shouldTellMorePropertiesByTheirNames() throws Exception {
    String long1 = "x".repeat(AccessRecord.MAX_CHARS);
    String long2 = long1 + "y";
    try (Handler log = handler(", \"fields\": \"plain\", \"properties\": [\"header.a\"]")) {
      HandlerTrial.after(
          log, HandlerTrial.message(Map.of("header.a", long1, "http.status", "teapot")));
      HandlerTrial.after(log, HandlerTrial.message(Map.of("header.a", long2)));
    }
    List<JsonNode> lines = lines("access.log");
    assertEquals(long1, lines.get(0).path("header.a").asText());
    assertEquals("teapot", lines.get(0).path("http.status").asText());
    assertEquals(long1 + "…", lines.get(1).path("header.a").asText());
  }

  @Test
  void shouldCountWhatFindsTheQueueFull() throws Exception {
    RotatingFile.RotationPolicy rotation =
        new RotatingFile.RotationPolicy(1 << 20, Duration.ofDays(1), 1);
    Path file = folder.resolve("full.log");
    AccessLog log = new AccessLog(file, new AccessLog.AccessLogSettings(rotation, 2), clock);
    for (int i = 0; i < 5; i++) {
      log.offer(empty(i));
    }
    assertEquals(3, log.dropped());
    log.start();
    log.close();
    assertEquals(2, log.written());
    log.offer(empty(9));
    assertEquals(4, log.dropped());
    List<String> lines = Files.readAllLines(file);
    assertEquals(3, lines.size());
    assertTrue(lines.getLast().contains("\"message\":\"3 records dropped\""), lines.getLast());
  }

  private static AccessRecord empty(int millis) {
    AccessRecord.AccessRecordFormat accessRecordFormat =
        new AccessRecord.AccessRecordFormat(AccessRecord.Names.ECS, List.of());
    return new AccessRecord(millis, "id", "REQUEST_IN", 0, "", List.of(), accessRecordFormat);
  }

  @Test
  void shouldCountWhatTheFileDoesNotTake() throws Exception {
    Path sub = Files.createDirectory(folder.resolve("sub"));
    RotatingFile.RotationPolicy rotation =
        new RotatingFile.RotationPolicy(1, Duration.ofDays(1), 1);
    Path file = sub.resolve("a.log");
    AccessLog log = new AccessLog(file, new AccessLog.AccessLogSettings(rotation, 9), clock);
    Files.writeString(file, "full");
    Files.delete(file);
    Files.delete(sub);
    log.offer(empty(1));
    log.start();
    while (log.written() == 0) {
      Thread.onSpinWait();
    }
    // The open file takes that; there is no place for the next file.
    log.offer(empty(2));
    log.close();
    assertEquals(1, log.written());
    assertEquals(1, log.failed());
    assertEquals(0, log.dropped());
  }

  @Test
  void shouldFollowBySizeAndKeepSoMany() throws Exception {
    Path file = folder.resolve("r.log");
    RotatingFile.RotationPolicy rotationPolicy =
        new RotatingFile.RotationPolicy(10, Duration.ofDays(1), 2);
    try (RotatingFile log = new RotatingFile(file, rotationPolicy, 0)) {
      for (String line :
          new String[] {
            "aaaa\n", "bbbb\n", "cccc\n", "dddd\n", "eeee\n", "ffffffffffff\n", "g\n"
          }) {
        log.append(ByteBuffer.wrap(line.getBytes(StandardCharsets.UTF_8)), 0);
      }
    }
    assertEquals("g\n", Files.readString(file));
    assertEquals("ffffffffffff\n", Files.readString(folder.resolve("r.log.1")));
    assertEquals("eeee\n", Files.readString(folder.resolve("r.log.2")));
    assertFalse(Files.exists(folder.resolve("r.log.3")));
  }

  @Test
  void shouldFollowByAgeWhateverTheClockDoes() throws Exception {
    Path file = folder.resolve("r.log");
    RotatingFile.RotationPolicy rotationPolicy =
        new RotatingFile.RotationPolicy(1_000, Duration.ofMillis(100), 0);
    try (RotatingFile log = new RotatingFile(file, rotationPolicy, 1_000)) {
      append(log, "a", 1_000);
      append(log, "b", 1_099);
      assertEquals("ab", Files.readString(file));
      append(log, "c", 1_100);
      assertEquals("c", Files.readString(file));
      append(log, "d", 500);
      append(log, "e", 599);
      assertEquals("cde", Files.readString(file));
      append(log, "f", 600);
      assertEquals("f", Files.readString(file));
    }
  }

  private static void append(RotatingFile log, String text, long millis) throws IOException {
    log.append(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)), millis);
  }

  @Test
  void shouldGoOnBehindWhatACrashLeft() throws Exception {
    Path file = Files.writeString(folder.resolve("r.log"), "whole\ncut o");
    RotatingFile.RotationPolicy rotationPolicy =
        new RotatingFile.RotationPolicy(1_000, Duration.ofDays(9), 0);
    try (RotatingFile log = new RotatingFile(file, rotationPolicy, clock.epochMillis())) {
      append(log, "next\n", clock.epochMillis());
    }
    assertEquals("whole\ncut o\nnext\n", Files.readString(file));
  }

  @Test
  void shouldShareAFileAmongChainsThatFollowEachOther() throws Exception {
    Handler before = handler("");
    try (Handler after = handler(", \"maxQueued\": 5")) {
      HandlerTrial.after(before, HandlerTrial.message(Map.of("http.path", "/1")));
      before.close();
      HandlerTrial.after(after, HandlerTrial.message(Map.of("http.path", "/2")));
    }
    assertEquals(2, lines("access.log").size());
  }

  @Test
  void shouldNeedAllThatItDeclaresOnly() throws Exception {
    try (Handler log = handler("")) {
      Declaration declared = log.declaration();
      assertTrue(declared.reads().contains(Slot.property("client.address")));
      Declaration without = declared.withSlots(List.of(), List.of());
      View blind = View.of(HandlerTrial.message(Map.of()), without);
      assertThrows(RuntimeException.class, () -> log.handle(blind));
      assertEquals(3, ((Metered) log).metrics().size());
    }
  }

  @Test
  void shouldSayWhatIsWrongWithSettings() throws Exception {
    String nowhere =
        HandlerTrial.problems(
            new AccessLogFactory(clock),
            "{\"file\": " + Payload.of(folder.resolve("no/where.log").toString()) + "}");
    assertTrue(nowhere.contains("/settings/file: expected a usable file"), nowhere);
    String more = HandlerTrial.problems(new AccessLogFactory(clock), settings(", \"keep\": 1001"));
    assertTrue(more.contains("from 0 to 1000"), more);
    String few =
        HandlerTrial.problems(new AccessLogFactory(clock), settings(", \"properties\": [\"a*\"]"));
    assertTrue(few.contains("expected the names of at most 16 properties"), few);
  }
}

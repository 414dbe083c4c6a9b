package dev.pinion.bootstrap.logging;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.LoggingEvent;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.pinion.bootstrap.supervise.SupervisorLog;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

class LogLinesTest {
  private static final String NASTY =
      "a \"quoted\" \\ line\nwith \u0001 and \u00e9 and \ud83d\ude00";

  private final LoggerContext context = new LoggerContext();

  @Test
  void shouldWriteAnEventAsOneLineOfJson() throws IOException {
    // given
    Logger logger = context.getLogger("some.Logger");
    LoggingEvent event =
        new LoggingEvent("x", logger, Level.WARN, NASTY, new IOException("lost"), new Object[0]);
    event.setInstant(Instant.EPOCH);

    // when
    String line = new JsonLineLayout().doLayout(event);

    // then
    assertEquals(1, line.lines().count());
    JsonNode json = new ObjectMapper().readTree(line);
    assertEquals("1970-01-01T00:00:00Z", json.get("ts").asText());
    assertEquals("WARN", json.get("level").asText());
    assertEquals("some.Logger", json.get("logger").asText());
    assertEquals(NASTY, json.get("msg").asText());
    assertTrue(json.get("error").asText().startsWith("java.io.IOException: lost"));
  }

  @Test
  void shouldLeaveOutTheErrorWhereThereIsNone() throws IOException {
    LoggingEvent event =
        new LoggingEvent(
            "x", context.getLogger("l"), Level.INFO, "{} of {}", null, new Object[] {1, 2});
    event.setInstant(Instant.EPOCH);

    JsonNode json = new ObjectMapper().readTree(new JsonLineLayout().doLayout(event));

    assertFalse(json.has("error"));
    assertEquals("1 of 2", json.get("msg").asText());
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void shouldWriteTheLogOfTheParentInTheSameForm(boolean asJson) throws IOException {
    // given
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    SupervisorLog log =
        new SupervisorLog(
            new PrintStream(out, true, StandardCharsets.UTF_8), asJson, () -> Instant.EPOCH);

    // when
    log.error(asJson ? NASTY : "plain");

    // then
    String line = out.toString(StandardCharsets.UTF_8);
    if (asJson) {
      JsonNode json = new ObjectMapper().readTree(line);
      assertEquals(NASTY, json.get("msg").asText());
      assertEquals("ERROR", json.get("level").asText());
    } else {
      assertEquals("1970-01-01T00:00:00.000Z ERROR supervisor: plain\n", line);
    }
  }

  // Field fault 30: the same format of text lines in all processes
  @Test
  void shouldWriteTextLikeTheParent() {
    LoggingEvent event =
        new LoggingEvent(
            "x", context.getLogger("a.b.Stage"), Level.WARN, "full", null, new Object[0]);
    event.setInstant(Instant.EPOCH);

    assertEquals(
        "1970-01-01T00:00:00.000Z WARN  Stage: full\n", new TextLineLayout().doLayout(event));
    assertEquals(
        "1970-01-01T00:00:00.000Z WARN  log: 1 line of the log was lost: its reader stood still",
        LostLinesNotice.line(1, LogLineFormat.TEXT, Instant.EPOCH));
  }

  // Field fault 30: no INFO of libraries
  @Test
  void shouldTellOfLibrariesWhatTheyWarnOf() {
    new LogbackConfigurator().configure(context);

    assertTrue(context.getLogger("dev.pinion.core.engine.Engine").isInfoEnabled());
    for (String library : List.of("org.flywaydb.core", "io.nats.client", "io.netty.util")) {
      assertFalse(context.getLogger(library).isInfoEnabled(), library);
      assertTrue(context.getLogger(library).isWarnEnabled(), library);
    }
  }

  // Field fault 20
  @Test
  void shouldTellLostLinesInTheSameForm() throws IOException {
    JsonNode json =
        new ObjectMapper().readTree(LostLinesNotice.line(7, LogLineFormat.JSON, Instant.EPOCH));

    assertEquals("1970-01-01T00:00:00Z", json.get("ts").asText());
    assertEquals("WARN", json.get("level").asText());
    assertTrue(json.get("msg").asText().startsWith("7 lines of the log were lost"));
    assertTrue(
        LostLinesNotice.line(1, LogLineFormat.TEXT, Instant.EPOCH)
            .contains("1 line of the log was lost"));
  }

  @Test
  void shouldBeWhatLogbackFinds() {
    LoggerContext inForce =
        assertInstanceOf(LoggerContext.class, LoggerFactory.getILoggerFactory());

    assertTrue(
        inForce.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME).getAppender("stderr") != null,
        "expected the appender of LogbackConfigurator");
  }
}

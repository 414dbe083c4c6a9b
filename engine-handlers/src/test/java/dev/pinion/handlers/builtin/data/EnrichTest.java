package dev.pinion.handlers.builtin.data;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.RenewedHttpClient;
import dev.pinion.handlers.api.Handler;
import dev.pinion.handlers.api.Message;
import dev.pinion.handlers.api.Settings;
import dev.pinion.handlers.builtin.FileSnapshot;
import dev.pinion.handlers.builtin.HandlerTrial;
import dev.pinion.handlers.builtin.data.ReferenceTable.Form;
import dev.pinion.handlers.builtin.data.ReferenceTable.TableFormat;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rows of reference tables in messages. */
class EnrichTest {
  private static final String ROWS =
      "[{\"id\":\"a\",\"name\":\"Anna\"},{\"id\":7,\"name\":\"Seven\"}]";

  @TempDir Path folder;

  private String settings(String content, String table, String more) throws IOException {
    Path file = Files.writeString(folder.resolve("table"), content);
    return "{\"key\":\"/order/customer\",\"target\":\"/order/who\",\"table\":{\"file\":"
        + Payload.of(file.toString())
        + table
        + "}"
        + more
        + "}";
  }

  private static Message order(String customer) {
    return HandlerTrial.message(
        Map.of(), HandlerTrial.json("{\"order\":{\"customer\":" + customer + ",\"n\":1}}"));
  }

  private static String after(Handler handler, String customer) throws Exception {
    return HandlerTrial.text(HandlerTrial.after(handler, order(customer)).body());
  }

  @Test
  void shouldPutTheRowOfAKeyIntoTheMessage() throws Exception {
    try (Handler handler = HandlerTrial.handler(new EnrichFactory(), settings(ROWS, "", ""))) {
      assertEquals(
          "{\"order\":{\"customer\":\"a\",\"n\":1,\"who\":{\"id\":\"a\",\"name\":\"Anna\"}}}",
          after(handler, "\"a\""));
      assertTrue(after(handler, "7").contains("Seven"));
      assertTrue(after(handler, "\"7\"").contains("Seven"));
    }
  }

  @Test
  void shouldReadRowsByKeyAndCsv() throws Exception {
    String byKey = "{\"a\":\"Anna\",\"b\":[1]}";
    try (Handler handler = HandlerTrial.handler(new EnrichFactory(), settings(byKey, "", ""))) {
      assertTrue(after(handler, "\"b\"").contains("\"who\":[1]"));
    }
    String csv = "code,name\r\na,\"Anna, \"\"A\"\"\"\nb,Bert\n";
    String form = ",\"format\":\"csv\",\"key\":\"code\"";
    try (Handler handler = HandlerTrial.handler(new EnrichFactory(), settings(csv, form, ""))) {
      assertTrue(
          after(handler, "\"a\"")
              .contains("\"who\":{\"code\":\"a\",\"name\":\"Anna, \\\"A\\\"\"}"));
    }
  }

  @Test
  void shouldSkipRefuseOrTakeADefaultWhereThereIsNoRow() throws Exception {
    for (String customer : List.of("\"x\"", "null", "{}", "[\"a\"]")) {
      try (Handler handler = HandlerTrial.handler(new EnrichFactory(), settings(ROWS, "", ""))) {
        assertFalse(after(handler, customer).contains("who"), customer);
        assertFalse(handler.declaration().stops());
      }
      String refuse = ",\"missing\":\"refuse\"";
      try (Handler handler =
          HandlerTrial.handler(new EnrichFactory(), settings(ROWS, "", refuse))) {
        String stopped = HandlerTrial.stopped(handler, order(customer));
        assertTrue(stopped.startsWith("422 expected a known key at /order/customer"), stopped);
      }
      String otherwise = ",\"missing\":\"default\",\"default\":{\"name\":\"?\"}";
      try (Handler handler =
          HandlerTrial.handler(new EnrichFactory(), settings(ROWS, "", otherwise))) {
        assertTrue(after(handler, customer).contains("\"who\":{\"name\":\"?\"}"));
      }
    }
  }

  @Test
  void shouldFollowTheFileAndKeepTheLastGoodOne() throws Exception {
    Path file = Files.writeString(folder.resolve("followed"), ROWS);
    Settings settings =
        new Settings(
            Payload.object(Map.of("file", Payload.of(file.toString()))), "/settings/table");
    Form form = new Form(TableFormat.JSON, "id", 10, HandlerTrial.CODEC);
    try (FileSnapshot<ReferenceTable> table = FileSnapshot.opened(settings, 1_000, form::read)) {
      ReferenceTable first = table.content();
      Files.writeString(file, "[{\"id\":\"b\"}]");
      table.check();
      assertNull(table.content().row("a"));
      assertNotNull(table.content().row("b"));
      assertNotNull(first.row("a"), "the snapshot that a message has read");
      Files.writeString(file, "[{\"id\":");
      table.check();
      assertNotNull(table.content().row("b"));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "1",
        "[1]",
        "[{\"id\":null}]",
        "[{\"name\":\"a\"}]",
        "[{\"id\":\"a\"},{\"id\":\"a\"}]",
        "["
      })
  void shouldRefuseWhatIsNoTable(String json) {
    Form form = new Form(TableFormat.JSON, "id", 10, HandlerTrial.CODEC);
    byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
    assertThrows(IllegalArgumentException.class, () -> form.read(bytes));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"id,name\na\n", "name\na\n", "id,name\na,b,c\n", "id\na\na\n", "id\n\"a\n"})
  void shouldRefuseWhatIsNoCsv(String csv) {
    Form form = new Form(TableFormat.CSV, "id", 10, HandlerTrial.CODEC);
    byte[] bytes = csv.getBytes(StandardCharsets.UTF_8);
    assertThrows(IllegalArgumentException.class, () -> form.read(bytes));
    byte[] latin = "id\n\u00e4\n".getBytes(StandardCharsets.ISO_8859_1);
    assertThrows(IllegalArgumentException.class, () -> form.read(latin));
  }

  @Test
  void shouldHoldRowsAndBytesToTheirBounds() throws Exception {
    Form form = new Form(TableFormat.JSON, "id", 2, HandlerTrial.CODEC);
    assertEquals(2, form.read(ROWS.getBytes(StandardCharsets.UTF_8)).size());
    byte[] more = "{\"a\":1,\"b\":2,\"c\":3}".getBytes(StandardCharsets.UTF_8);
    assertThrows(IllegalArgumentException.class, () -> form.read(more));

    String fits = ",\"maxBytes\":" + ROWS.length();
    HandlerTrial.handler(new EnrichFactory(), settings(ROWS, fits, "")).close();
    String tight = ",\"maxBytes\":" + (ROWS.length() - 1);
    String problems = HandlerTrial.problems(new EnrichFactory(), settings(ROWS, tight, ""));
    assertTrue(problems.contains("at most " + (ROWS.length() - 1) + " B"), problems);
  }

  @Test
  void shouldTellWhatIsWrongWithItsSettings() throws Exception {
    String both = settings(ROWS, ",\"url\":\"ftp://x/\"", ",\"default\":1");
    String problems = HandlerTrial.problems(new EnrichFactory(), both);
    assertTrue(problems.contains("/settings/table/file: expected file or url"), problems);
    assertTrue(problems.contains("/settings/table/url: expected a URL"), problems);
    assertTrue(problems.contains("/settings/missing: expected the setting"), problems);
    String places = settings(ROWS, "", "").replace("/order/customer", "customer");
    assertTrue(
        HandlerTrial.problems(new EnrichFactory(), places).contains("expected a JSON pointer"));
  }

  @Test
  void shouldPollAServiceByItsEntityTagAndKeepTheLastGoodTable() throws Exception {
    List<String> asked = new CopyOnWriteArrayList<>();
    Set<Integer> connections = new CopyOnWriteArraySet<>();
    AtomicLong nanoTime = new AtomicLong();
    String[] now = {ROWS, "\"1\"", "200"};
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          String known = exchange.getRequestHeaders().getFirst("If-None-Match");
          asked.add(String.valueOf(known));
          connections.add(exchange.getRemoteAddress().getPort());
          byte[] body = now[0].getBytes(StandardCharsets.UTF_8);
          exchange.getResponseHeaders().set("ETag", now[1]);
          int status = now[1].equals(known) ? 304 : Integer.parseInt(now[2]);
          exchange.sendResponseHeaders(status, status == 304 ? -1 : body.length);
          if (status != 304) {
            exchange.getResponseBody().write(body);
          }
          exchange.close();
        });
    server.start();
    String url = "http://127.0.0.1:" + server.getAddress().getPort() + "/table";
    Settings settings =
        new Settings(Payload.object(Map.of("url", Payload.of(url))), "/settings/table");
    Form form = new Form(TableFormat.JSON, "id", 10, HandlerTrial.CODEC);
    try (HttpTableSource table =
        HttpTableSource.opened(settings, ROWS.length(), form, nanoTime::get)) {
      assertNotNull(table.table().row("a"));
      ReferenceTable first = table.table();
      table.check();
      assertTrue(first.equals(table.table()), "not read again");
      assertEquals(1, connections.size());
      nanoTime.addAndGet(RenewedHttpClient.AGE.toNanos());
      now[0] = "[{\"id\":\"b\"}]";
      now[1] = "\"2\"";
      table.check();
      assertNotNull(table.table().row("b"));
      assertEquals(2, connections.size(), "Field fault 12: a name that moves is followed");
      now[1] = "\"3\"";
      for (String broken : List.of("500", "200")) {
        now[2] = broken;
        now[0] = "[{\"id\":";
        table.check();
        assertNotNull(table.table().row("b"));
      }
      now[0] = ROWS + " ";
      table.check();
      assertNotNull(table.table().row("b"), "after a table that is too large");
      server.stop(0);
      table.check();
      assertNotNull(table.table().row("b"), "after the service is gone");
      assertEquals(List.of("null", "\"1\"", "\"1\"", "\"2\"", "\"2\"", "\"2\""), asked);
    } finally {
      server.stop(0);
    }
  }
}

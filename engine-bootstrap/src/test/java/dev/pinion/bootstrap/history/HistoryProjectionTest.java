package dev.pinion.bootstrap.history;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.Clock;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.instance.HistoryEvent;
import dev.pinion.core.spi.History;
import dev.pinion.core.spi.HistoryUnavailableException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jdbi.v3.core.Handle;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Journals of a real engine, read by hand into a separate database. */
class HistoryProjectionTest {
  private static final int MOST_PASSES = 100_000;
  private static final long SEED = 28;

  @TempDir Path data;

  private EngineLimits limits =
      EngineLimits.defaults()
          .with(
              Map.of(
                  "history.batchRecords", 3,
                  "history.busyMillis", 0,
                  "request.defaultWaitMillis", 2_000));

  private final AtomicInteger progress = new AtomicInteger();

  private DatabaseTarget target() {
    return Objects.requireNonNull(DatabaseTarget.of(DatabaseTarget.SQLITE, data, "", ""));
  }

  private HistoryDatabase database() {
    return new HistoryDatabase(target(), limits.history());
  }

  private HistoryProjection projection() throws IOException {
    return projection(false);
  }

  private HistoryProjection projection(boolean afterFailure) throws IOException {
    return new HistoryProjection(
        data, database(), limits, Clock.system(), progress::incrementAndGet, afterFailure);
  }

  /** Runs passes until there is nothing more to do. */
  private static void catchUp(HistoryProjection projection) {
    int idle = 0;
    for (int i = 0; i < MOST_PASSES && idle < 4; i++) {
      idle = projection.poll() == 0 ? 0 : idle + 1;
      assertEquals(null, projection.failure());
    }
    assertEquals(4, idle, "passes with nothing to do");
    assertEquals(0, projection.lag());
  }

  private void project() throws IOException {
    try (HistoryProjection projection = projection()) {
      catchUp(projection);
    }
  }

  private List<InstanceId> work(int each) throws IOException, InterruptedException {
    List<InstanceId> ids = new ArrayList<>();
    try (WorkedEngine engine = new WorkedEngine(data, limits, History.NONE)) {
      ids.addAll(work(engine, each));
    }
    return ids;
  }

  private static List<InstanceId> work(WorkedEngine engine, int each)
      throws IOException, InterruptedException {
    List<InstanceId> ids = new ArrayList<>();
    for (int i = 0; i < each; i++) {
      ids.add(engine.start("steps", "{\"input\":{\"n\":" + i + "}}"));
      ids.add(engine.start("counts", "{\"input\":{\"n\":0}}"));
    }
    return ids;
  }

  @Test
  void shouldTellWhatTheKernelTold() throws Exception {
    List<HistoryEvent> happenings;
    List<InstanceId> ids;
    try (WorkedEngine engine = new WorkedEngine(data, limits, History.NONE)) {
      ids = work(engine, 4);
      happenings = List.copyOf(engine.happenings);
    }

    project();

    assertEquals(8, ids.size());
    try (HistoryReader reader = new HistoryReader(database(), limits)) {
      for (InstanceId id : ids) {
        List<String> expected =
            happenings.stream()
                .filter(event -> event.id().equals(id))
                .map(event -> event.sequence() + " " + event.kind() + " " + event.epochMillis())
                .toList();
        History.HistoryPage historyPage = Objects.requireNonNull(reader.events(id, -1, 10_000));
        List<String> found =
            Tables.rows(
                database(),
                "SELECT sequence, kind, at FROM event WHERE id = "
                    + id.value()
                    + " ORDER BY sequence");
        assertEquals(expected, found);
        assertEquals(expected.size(), historyPage.items().size());
      }
    }
  }

  @Test
  void shouldMakeTheSameTablesAgain() throws Exception {
    work(5);
    project();
    List<String> before = Tables.all(database());
    project();
    assertEquals(before, Tables.all(database()), "taken up further from where it was");

    delete();
    project();

    assertTrue(before.size() > 100, "rows: " + before.size());
    assertEquals(before, Tables.all(database()));
  }

  /** Field fault 3: the amount read and written at once is bounded by its size. */
  @Test
  void shouldMakeTheSameTablesInTheSmallestSteps() throws Exception {
    work(2);
    project();
    List<String> before = Tables.all(database());
    delete();
    limits = limits.with(Map.of("history.batchBytes", 1));

    project();

    assertEquals(before, Tables.all(database()));
  }

  /**
   * Field fault 3: an instance at which the process ends is reported and left out; others are not.
   */
  @Test
  void shouldPassOverAnInstanceThatDoesNotFitIntoTheProcess() throws Exception {
    List<InstanceId> ids = work(2);
    project();
    String others = " WHERE id <> " + ids.get(1).value() + " ORDER BY id, sequence";
    List<String> before = Tables.rows(database(), "SELECT id, sequence, kind FROM event" + others);
    delete();
    for (int failures = 1; failures <= CrashMark.MAX_FAILURES; failures++) {
      mark().started(ids.get(1).value());
      if (failures < CrashMark.MAX_FAILURES) {
        try (HistoryProjection projection = projection(true)) {
          assertEquals(0, projection.poll());
          assertTrue(projection.isCareful(), "reads in small steps");
          assertTrue(
              String.valueOf(projection.failure()).contains(ids.get(1).toString()),
              projection.failure());
        }
      }
    }

    for (boolean afterFailure : new boolean[] {true, false}) {
      try (HistoryProjection projection = projection(afterFailure)) {
        catchUp(projection);
        assertEquals(1, projection.skippedInstances());
      }
    }

    assertEquals(before, Tables.rows(database(), "SELECT id, sequence, kind FROM event" + others));
    String told = Files.readString(data.resolve("history").resolve("passed-over-0"));
    assertTrue(told.startsWith(ids.get(1) + " "), told);
    assertTrue(told.contains("--history-heap"), told);
  }

  /** Field fault 3: however often the whole engine is killed, a sound instance is not left out. */
  @Test
  void shouldPassOverNoInstanceAtWhichItIsKilled() throws Exception {
    InstanceId id = work(1).getFirst();
    for (int kills = 0; kills < 2 * CrashMark.MAX_FAILURES; kills++) {
      mark().started(id.value());
      try (HistoryProjection projection = projection()) {
        assertEquals(0, projection.poll());
        assertTrue(projection.isCareful(), "reads in small steps");
      }
    }

    try (HistoryProjection projection = projection()) {
      catchUp(projection);
      assertEquals(0, projection.skippedInstances());
      assertFalse(projection.isCareful());
    }
    try (HistoryReader reader = new HistoryReader(database(), limits)) {
      assertNotNull(reader.ended(id));
    }
  }

  private CrashMark mark() throws IOException {
    return CrashMark.open(data.resolve("history").resolve("reading-0"), false);
  }

  /** Field fault 3: a page is bounded by its size as well. */
  @Test
  void shouldEndAPageEarlyWhenItsValuesAreLong() throws Exception {
    InstanceId id = work(1).getFirst();
    project();
    try (HistoryReader whole = new HistoryReader(database(), limits);
        HistoryReader small =
            new HistoryReader(database(), limits.with(Map.of("history.maxPageChars", 1)))) {
      History.HistoryPage all = Objects.requireNonNull(whole.events(id, -1, 1_000));
      List<Object> found = new ArrayList<>();
      long after = -1;
      boolean more = true;
      while (more) {
        History.HistoryPage historyPage = Objects.requireNonNull(small.events(id, after, 1_000));
        found.addAll(historyPage.items());
        after = historyPage.items().getLast().json().path("sequence").asLong();
        more = historyPage.more();
        assertTrue(historyPage.items().size() <= 3, "items " + historyPage.items().size());
      }
      assertEquals(all.items(), found);
    }
  }

  @Test
  void shouldWriteAllOfABatchOrNothing() throws Exception {
    work(5);
    project();
    List<String> before = Tables.all(database());
    delete();
    database().migrate();
    for (int cut = 1; cut < 40; cut += 4) {
      execute(
          "CREATE TRIGGER cut BEFORE INSERT ON event WHEN (SELECT COUNT(*) FROM event) >= "
              + (cut * 30)
              + " BEGIN SELECT RAISE(ABORT, 'cut'); END");
      try (HistoryProjection projection = projection()) {
        for (int i = 0; i < 50 && projection.failure() == null; i++) {
          projection.poll();
        }
      }
      execute("DROP TRIGGER cut");
    }
    project();

    assertEquals(before, Tables.all(database()));
  }

  @Test
  void shouldWaitForADatabaseThatIsLockedWhileTheEngineGoesOn() throws Exception {
    try (WorkedEngine engine = new WorkedEngine(data, limits, History.NONE);
        HistoryProjection projection = projection()) {
      InstanceId known = work(engine, 1).getFirst();
      catchUp(projection);
      try (Handle locks = database().writer().open()) {
        locks.execute("UPDATE journal SET name = name");
        List<InstanceId> meanwhile = work(engine, 2);
        for (int i = 0; i < 5; i++) {
          projection.poll();
        }
        String failure = String.valueOf(projection.failure());
        assertTrue(failure.contains("close other users of"), failure); // Field fault 22
        assertEquals(4, meanwhile.size());
        // Field fault 21: unwritten records count as lag, also in reports of replicas
        assertTrue(projection.lag() > 4, "behind by " + projection.lag());
        JournalEndPositions journals = new JournalEndPositions(data);
        try (HistoryReader reader = new HistoryReader(database(), limits, null, journals)) {
          History.HistoryPage historyPage = Objects.requireNonNull(reader.events(known, -1, 1));
          assertTrue(historyPage.lagRecords() > 4, "behind by " + historyPage.lagRecords());
        }
        locks.rollback();
      }
      projection.poll();
      catchUp(projection);
      assertEquals(engine.happenings.size(), Tables.rows(database(), "SELECT 1 FROM event").size());
    }
  }

  /** Field fault 3: while waiting for the database, no instance is read that could be blamed. */
  @Test
  void shouldBlameNoInstanceWhileItWaitsForTheDatabase() throws Exception {
    work(1);
    try (HistoryProjection projection = projection()) {
      catchUp(projection);
      work(1);
      try (Handle locks = database().writer().open()) {
        locks.execute("UPDATE journal SET name = name");
        projection.poll();
        assertNotNull(projection.failure());
        assertEquals(0, mark().ends(), "as if it ended now");
        locks.rollback();
      }
      catchUp(projection);
    }
  }

  /** Field fault 3: a long pass does not count as hanging. */
  @Test
  void shouldTellThatItComesFurtherWithinAPass() throws Exception {
    work(3);
    limits = limits.with(Map.of("history.batchRecords", 1_000));
    try (HistoryProjection projection = projection()) {
      projection.poll();
      assertEquals(null, projection.failure());
      assertTrue(progress.get() >= projection.lag(), progress + " times");
      assertTrue(progress.get() > 12, progress + " times");
    }
  }

  /** An unreadable row costs a response, but no connection. */
  @Test
  @EnabledOnOs(OS.LINUX)
  void shouldCloseTheConnectionWhenARowCannotBeRead() throws Exception {
    InstanceId id = work(1).getFirst();
    project();
    execute("UPDATE event SET output = '{no JSON' WHERE output IS NOT NULL");
    try (HistoryReader reader = new HistoryReader(database(), limits)) {
      for (int i = 0; i < 3; i++) {
        assertThrows(RuntimeException.class, () -> reader.events(id, -1, 1_000));
      }
      assertEquals(0, openDatabases());
    }
  }

  private long openDatabases() throws IOException {
    String file = String.valueOf(target().file());
    long open = 0;
    try (var descriptors = Files.newDirectoryStream(Path.of("/proc/self/fd"))) {
      for (Path each : descriptors) {
        open += Files.isSymbolicLink(each) && isOf(each, file) ? 1 : 0;
      }
    }
    return open;
  }

  private static boolean isOf(Path descriptor, String file) {
    try {
      return Files.readSymbolicLink(descriptor).toString().startsWith(file);
    } catch (IOException e) {
      return false; // closed meanwhile
    }
  }

  /** Field fault 22: a damaged database is set aside and rebuilt from the journals. */
  @ParameterizedTest
  @ValueSource(strings = {"no database", "cut", "overwritten"})
  void shouldMakeADamagedDatabaseAgain(String damage) throws Exception {
    work(3);
    project();
    List<String> before = Tables.rows(database(), "SELECT * FROM event");
    Path file = Objects.requireNonNull(target().file());
    damage(file, damage);

    try (HistoryProjection projection = projection()) {
      for (int i = 0; i < 100 && !projection.isToBeginAnew(); i++) {
        projection.poll();
      }
      if (!projection.isToBeginAnew()) {
        work(1); // it is detected at a write
        for (int i = 0; i < 100 && !projection.isToBeginAnew(); i++) {
          projection.poll();
        }
      }
      assertTrue(projection.isToBeginAnew(), String.valueOf(projection.failure()));
    }
    project();

    assertTrue(Tables.rows(database(), "SELECT * FROM event").containsAll(before));
    try (Stream<Path> files = Files.list(Objects.requireNonNull(file.getParent()))) {
      List<String> names = files.map(each -> each.getFileName().toString()).toList();
      assertTrue(
          names.stream().anyMatch(name -> name.startsWith("history.db.damaged-")),
          names.toString());
    }
  }

  /** Field fault 22: nor is damage ignored that only queries for old events meet. */
  @Test
  void shouldMakeADatabaseAgainThatAQuestionFindsDamaged() throws Exception {
    InstanceId id = work(3).getFirst();
    try (HistoryReader reader = new HistoryReader(database(), limits);
        HistoryProjection projection = projection()) {
      catchUp(projection);
      Path file = Objects.requireNonNull(target().file());
      Tables.compact(file);
      List<String> pages =
          Tables.rows(database(), "SELECT rootpage FROM sqlite_master WHERE tbl_name = 'event'");
      Tables.overwrite(file, pages.stream().map(Integer::parseInt).toList());
      catchUp(projection);
      assertFalse(projection.isToBeginAnew(), "it meets none of it");
      assertNotNull(reader.ended(id));
      HistoryUnavailableException told =
          assertThrows(HistoryUnavailableException.class, () -> reader.events(id, -1, 10));
      assertTrue(String.valueOf(told.getMessage()).contains("is damaged"), told.getMessage());

      projection.poll();

      assertTrue(projection.isToBeginAnew());
      assertTrue(
          String.valueOf(projection.failure()).contains("history.db.damaged-"),
          projection.failure());
      assertThrows(HistoryUnavailableException.class, () -> reader.events(id, -1, 10));
      project();
      assertNotNull(reader.events(id, -1, 10));
    }
  }

  /** Field fault 22: a notice of damage applies to the file that was read, and while it exists. */
  @Test
  void shouldKeepAFileOfWhichOldDamageIsTold() throws Exception {
    work(1);
    project();
    Path file = Objects.requireNonNull(target().file());
    EmbeddedDatabaseFile.leaveNotice(
        file, Objects.requireNonNull(EmbeddedDatabaseFile.identity(file)));
    try (HistoryProjection projection = projection()) {
      projection.poll();
      assertFalse(projection.isToBeginAnew(), "told to a process before");
      EmbeddedDatabaseFile.leaveNotice(file, "another file");
      projection.poll();
      assertFalse(projection.isToBeginAnew());
      EmbeddedDatabaseFile.leaveNotice(
          file, Objects.requireNonNull(EmbeddedDatabaseFile.identity(file)));
      projection.poll();
      assertTrue(projection.isToBeginAnew());
    }
  }

  private static void damage(Path file, String damage) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    switch (damage) {
      case "no database" ->
          Files.writeString(file, "this is a text, of whatever length ".repeat(99));
      case "cut" -> Files.write(file, Arrays.copyOf(bytes, bytes.length / 3));
      default -> {
        Arrays.fill(bytes, 4_096, bytes.length, (byte) 0x5a);
        Files.write(file, bytes);
      }
    }
  }

  /** Field fault 22: an unreadable journal keeps no other from the history. */
  @Test
  void shouldTakeUpTheOtherJournalsWhenOneCannotBeRead() throws Exception {
    work(1);
    Path journals = data.resolve("journal");
    Files.move(journals.resolve("0"), journals.resolve("1"));
    Files.writeString(journals.resolve("00"), "no folder");
    Path damaged = Files.createDirectory(journals.resolve("0"));
    try (Stream<Path> files = Files.list(journals.resolve("1"))) {
      for (Path each : files.toList()) {
        Files.copy(each, damaged.resolve(each.getFileName()));
      }
    }
    Files.writeString(damaged.resolve("FORMAT"), "no format");
    JournalEndPositions heads = new JournalEndPositions(data);
    limits = limits.with(Map.of("history.retryMillis", 1));

    try (HistoryProjection projection = projection();
        HistoryReader reader = new HistoryReader(database(), limits, null, heads)) {
      boolean more = true;
      for (int i = 0; i < MOST_PASSES && more; i++) {
        more = projection.poll() == 0;
      }

      assertEquals(2, Tables.rows(database(), "SELECT id FROM instance").size());
      String failure = String.valueOf(projection.failure());
      assertTrue(failure.startsWith("journal 0 cannot be read: expected the first line"), failure);
      assertEquals(-1, projection.lag(), "nobody knows what is in it");
      assertFalse(heads.read().complete());
      assertNotNull(reader.events(anyInstance(), -1, 1));

      Files.delete(journals.resolve("00"));
      Files.copy(
          journals.resolve("1").resolve("FORMAT"),
          damaged.resolve("FORMAT"),
          StandardCopyOption.REPLACE_EXISTING);
      await()
          .until(
              () -> {
                projection.poll();
                return projection.failure() == null;
              });
      assertEquals(0, projection.lag());
    }
  }

  private InstanceId anyInstance() throws SQLException {
    return new InstanceId(
        Long.parseLong(Tables.rows(database(), "SELECT MIN(id) FROM instance").getFirst()));
  }

  /** Field fault 22: a deleted database is rebuilt, and readers see the new one. */
  @Test
  void shouldNoticeThatItsDatabaseIsGone() throws Exception {
    InstanceId id = work(1).getFirst();
    try (HistoryReader reader = new HistoryReader(database(), limits)) {
      try (HistoryProjection projection = projection()) {
        catchUp(projection);
        assertNotNull(reader.events(id, -1, 10));
        assertFalse(projection.isToBeginAnew());
        delete();
        projection.poll();
        assertTrue(projection.isToBeginAnew());
      }
      InstanceId later = work(1).getFirst();
      project();
      assertNotNull(reader.events(later, -1, 10), "not of the file that is gone");
      assertNotNull(reader.events(id, -1, 10));
    }
  }

  /**
   * Field fault 4: an instance that a replica forgot is returned from the history, whatever its
   * size.
   */
  @Test
  void shouldAnswerForInstancesThatTheirKernelForgot() throws Exception {
    limits = limits.with(Map.of("kernel.maxEnded", 1, "history.maxValueChars", 100));
    String long1 = "x".repeat(5_000);
    try (HistoryReader reader = new HistoryReader(database(), limits);
        WorkedEngine engine = new WorkedEngine(data, limits, reader)) {
      String start = "/v1/namespaces/test/definitions/echo/instances";
      String body = "{\"businessKey\":\"k 1\",\"input\":{\"text\":\"" + long1 + "\"}}";
      HttpResponse<String> first = engine.send("POST", start, body, "idempotency-key", "\"one\"");
      assertEquals(200, first.statusCode(), first.body());
      InstanceId id = InstanceId.parse(tagOf(first.body(), "id")).orElseThrow();
      InstanceId last = engine.start("steps", "{\"input\":{\"n\":1}}");
      project();

      HttpResponse<String> later = engine.send("GET", "/v1/instances/" + id, "");
      assertEquals(200, later.statusCode(), later.body());
      assertEquals(first.body(), later.body());
      HttpResponse<String> output = engine.send("GET", "/v1/instances/" + id + "/output", "");
      assertEquals("{\"text\":\"" + long1 + "\"}", output.body());
      HttpResponse<String> again = engine.send("POST", start, body, "idempotency-key", "\"one\"");
      assertEquals(200, again.statusCode(), again.body());
      assertEquals(first.body(), again.body());
      assertEquals(410, engine.send("POST", "/v1/instances/" + id + "/rerun", "").statusCode());
      for (String wish : List.of("cancellation", "suspension", "resumption", "retry")) {
        HttpResponse<String> refused = engine.send("POST", "/v1/instances/" + id + "/" + wish, "");
        assertEquals(409, refused.statusCode(), refused.body());
        assertTrue(refused.body().contains("COMPLETED"), refused.body());
      }
      assertTrue(reader.knows(id));
      InstanceId never = new InstanceId(last.value() + (1 << 12));
      assertEquals(404, engine.send("GET", "/v1/instances/" + never, "").statusCode());
    }
  }

  /**
   * Field fault 4: an assigned id is distinguished from one that never was, also after a restart.
   */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void shouldSayThatAnInstanceIsGoneOfWhichNothingIsKept(boolean remembers) throws Exception {
    limits = limits.with(Map.of("kernel.maxEnded", 0));
    try (HistoryReader reader = new HistoryReader(database(), limits)) {
      History history = remembers ? reader : History.NONE;
      List<InstanceId> ids;
      try (WorkedEngine engine = new WorkedEngine(data, limits, history)) {
        ids = work(engine, 1);
        project();
        execute("DELETE FROM instance"); // as retention does
        execute("DELETE FROM event");
        assertGone(engine, ids);
      }
      try (WorkedEngine engine = new WorkedEngine(data, limits, history)) {
        assertGone(engine, ids);
      }
    }
  }

  private static void assertGone(WorkedEngine engine, List<InstanceId> ids) throws Exception {
    for (String look : List.of("", "/output")) {
      HttpResponse<String> gone = engine.send("GET", "/v1/instances/" + ids.getFirst() + look, "");
      assertEquals(410, gone.statusCode(), gone.body());
      assertTrue(gone.body().contains("kernel.keepEndedSeconds"), gone.body());
    }
    InstanceId never = new InstanceId(ids.getLast().value() + (1 << 12));
    assertEquals(404, engine.send("GET", "/v1/instances/" + never, "").statusCode());
  }

  /** Field fault 4: so are faults, whatever the size of their errors. */
  @Test
  void shouldAnswerForFaultsThatTheirKernelForgot() throws Exception {
    limits = limits.with(Map.of("kernel.maxEnded", 1));
    String detail = "x".repeat(300_000);
    String path;
    HttpResponse<String> first;
    try (HistoryReader reader = new HistoryReader(database(), limits)) {
      try (WorkedEngine engine = new WorkedEngine(data, limits, reader)) {
        String body = "{\"input\":{\"detail\":\"" + detail + "\"}}";
        path = "/v1/instances/" + engine.start("faults", body);
        first = engine.send("GET", path, "");
        assertTrue(first.body().contains(detail));
        engine.start("steps", "{\"input\":{\"n\":1}}");
        project();
        assertEquals(first.body(), engine.send("GET", path, "").body());
      }
      try (WorkedEngine engine = new WorkedEngine(data, limits, reader)) {
        HttpResponse<String> later = engine.send("GET", path, "");
        assertEquals(200, later.statusCode(), later.body());
        assertEquals(first.body(), later.body());
      }
      String listed = reader.instances(faulted()).items().toString();
      assertTrue(listed.contains("xxx…\""), "cut");
      assertTrue(listed.length() < limits.history().maxValueChars(), "length " + listed.length());
      assertTrue(listed.contains("\"omittedChars\":"), "told");
    }
  }

  private static History.Search faulted() {
    return new History.Search(
        "FAULTED",
        null,
        null,
        null,
        null,
        History.TimeRange.ALWAYS,
        new History.PageRequest(null, 9));
  }

  /** Field fault 4: a part remains of an error that is longer than the limit. */
  @Test
  void shouldAnswerWithAPartOfAnErrorThatIsTooLong() throws Exception {
    limits =
        limits.with(
            Map.of(
                "kernel.maxEnded", 0,
                "history.maxValueChars", 400,
                "history.maxOutputBytes", 1_000));
    try (HistoryReader reader = new HistoryReader(database(), limits);
        WorkedEngine engine = new WorkedEngine(data, limits, reader)) {
      InstanceId id =
          engine.start("faults", "{\"input\":{\"detail\":\"" + "ü".repeat(1_000) + "\"}}");
      project();
      HttpResponse<String> answer = engine.send("GET", "/v1/instances/" + id, "");
      assertEquals(200, answer.statusCode(), answer.body());
      assertTrue(answer.body().contains("\"status\":400"), answer.body());
      assertTrue(answer.body().contains("üüü…\""), answer.body());
    }
  }

  /** Field fault 4: an instance that a replica forgot before the history read it is not gone. */
  @Test
  void shouldNotSayThatAnInstanceIsGoneWhileTheHistoryIsBehind() throws Exception {
    limits = limits.with(Map.of("kernel.maxEnded", 1));
    JournalEndPositions journals = new JournalEndPositions(data);
    try (HistoryReader reader = new HistoryReader(database(), limits, null, journals);
        WorkedEngine engine = new WorkedEngine(data, limits, reader)) {
      engine.start("steps", "{\"input\":{\"n\":1}}");
      project();
      InstanceId behind = engine.start("steps", "{\"input\":{\"n\":2}}");
      HttpResponse<String> kept = engine.send("GET", "/v1/instances/" + behind, "");
      String tag = kept.headers().firstValue("etag").orElseThrow();
      engine.start("steps", "{\"input\":{\"n\":3}}");

      HttpResponse<String> early = engine.send("GET", "/v1/instances/" + behind, "");
      assertEquals(503, early.statusCode(), early.body());
      assertEquals("5", early.headers().firstValue("retry-after").orElse(""));
      assertTrue(early.body().contains("records behind the journals"), early.body());
      InstanceId unknown = new InstanceId(behind.value() + (1 << 12)); // as after a restart
      assertEquals(503, engine.send("GET", "/v1/instances/" + unknown, "").statusCode());
      for (String wish : List.of("cancellation", "suspension", "resumption", "retry", "rerun")) {
        String path = "/v1/instances/" + behind + "/" + wish;
        assertEquals(503, engine.send("POST", path, "").statusCode(), wish);
      }
      HttpResponse<String> events = engine.send("GET", "/v1/instances/" + behind + "/events", "");
      assertEquals(503, events.statusCode(), events.body());
      assertTrue(events.body().contains("the start of the instance"), events.body());
      InstanceId future = new InstanceId(behind.value() + (1L << 50));
      assertEquals(404, engine.send("GET", "/v1/instances/" + future, "").statusCode());
      project();
      HttpResponse<String> later = engine.send("GET", "/v1/instances/" + behind, "");
      assertEquals(200, later.statusCode());
      assertEquals(tag, later.headers().firstValue("etag").orElseThrow(), "it is the same one");
    }
  }

  /** Field fault 4: nor while a journal is unreadable, which may contain its end. */
  @Test
  void shouldNotSayThatAnInstanceIsGoneWhileAJournalCannotBeRead() throws Exception {
    JournalEndPositions journals = new JournalEndPositions(data);
    try (HistoryReader reader = new HistoryReader(database(), limits, null, journals);
        WorkedEngine engine = new WorkedEngine(data, limits, reader)) {
      InstanceId known = engine.start("steps", "{\"input\":{\"n\":1}}");
      project();
      Path unreadable = data.resolve("journal").resolve("1").resolve("FORMAT");
      InstanceId never = new InstanceId(known.value() + (1 << 12));
      assertEquals(404, engine.send("GET", "/v1/instances/" + never, "").statusCode());

      Files.createDirectories(unreadable);
      Files.createFile(unreadable.resolveSibling("readers"));

      HttpResponse<String> unknown = engine.send("GET", "/v1/instances/" + never, "");
      assertEquals(503, unknown.statusCode(), unknown.body());
      assertTrue(unknown.body().contains("a journal cannot be read now"), unknown.body());
      assertNotNull(reader.ended(known));
      assertFalse(Objects.requireNonNull(reader.events(known, -1, 1)).complete());

      Files.delete(unreadable);
      assertTrue(Objects.requireNonNull(reader.events(known, -1, 1)).complete());
      assertEquals(404, engine.send("GET", "/v1/instances/" + never, "").statusCode());
    }
  }

  /** Field fault 4: after its retention it is gone, in the history as well. */
  @Test
  void shouldSayThatAnInstanceIsGoneOnceItsTimeIsOver() throws Exception {
    limits = limits.with(Map.of("kernel.keepEndedSeconds", 1));
    try (HistoryReader reader = new HistoryReader(database(), limits);
        WorkedEngine engine = new WorkedEngine(data, limits, reader)) {
      String path = "/v1/instances/" + engine.start("steps", "{\"input\":{\"n\":1}}");
      project();
      assertEquals(200, engine.send("GET", path, "").statusCode());
      await()
          .atMost(Duration.ofSeconds(10))
          .until(() -> engine.send("GET", path, "").statusCode() == 410);
      String told = engine.send("GET", path + "/output", "").body();
      assertTrue(told.contains("kernel.keepEndedSeconds"), told);
    }
  }

  /** Field fault 4: an instance that its kernel has forgotten is rerun with the history's data. */
  @Test
  void shouldRunAnInstanceAgainThatItsKernelHasForgotten() throws Exception {
    limits = limits.with(Map.of("kernel.maxEnded", 0, "history.maxValueChars", 64));
    try (HistoryReader reader = new HistoryReader(database(), limits);
        WorkedEngine engine = new WorkedEngine(data, limits, reader)) {
      String start = "{\"input\":{\"n\":1},\"businessKey\":\"b\",\"labels\":{\"l\":\"v\"}}";
      InstanceId first = engine.start("echo", start);
      InstanceId large = engine.start("echo", "{\"input\":\"" + "x".repeat(100) + "\"}");
      String rerun = "/v1/instances/" + first + "/rerun";
      HttpResponse<String> early = engine.send("POST", rerun, "");
      assertEquals(503, early.statusCode(), early.body());
      project();

      HttpResponse<String> again =
          engine.send("POST", rerun, "", "prefer", "wait=10", "idempotency-key", "\"k\"");

      assertEquals(200, again.statusCode(), again.body());
      assertTrue(again.body().contains("\"output\":{\"n\":1}"), again.body());
      assertTrue(again.body().contains("\"businessKey\":\"b\""), again.body());
      assertTrue(again.body().contains("\"labels\":{\"l\":\"v\"}"), again.body());
      project();
      HttpResponse<String> repeated =
          engine.send("POST", rerun, "", "prefer", "wait=10", "idempotency-key", "\"k\"");
      assertEquals(tagOf(again.body(), "id"), tagOf(repeated.body(), "id"), "one for one key");
      String other = "/v1/instances/" + large + "/rerun";
      HttpResponse<String> unknown = engine.send("POST", other, "");
      assertEquals(410, unknown.statusCode(), unknown.body());
      assertTrue(unknown.body().contains("history.maxValueChars"), unknown.body());
      HttpResponse<String> retry = engine.send("POST", "/v1/instances/" + first + "/retry", "");
      assertEquals(409, retry.statusCode(), retry.body());
      assertTrue(retry.body().contains("found one in state COMPLETED"), retry.body());
    }
  }

  private static String tagOf(String body, String member) {
    return body.replaceFirst("(?s).*?\"" + member + "\":\"([^\"]*)\".*", "$1");
  }

  @Test
  void shouldFollowAnEngineThatIsStartedAgain() throws Exception {
    List<HistoryEvent> happenings = new ArrayList<>();
    try (HistoryProjection projection = projection()) {
      for (int life = 0; life < 3; life++) {
        try (WorkedEngine engine = new WorkedEngine(data, limits, History.NONE)) {
          InstanceId sleeper = engine.startSleeper();
          work(engine, 1);
          catchUp(projection);
          if (life > 0) {
            engine.send("POST", "/v1/instances/" + sleeper + "/cancellation", "");
          }
          work(engine, 1);
          happenings.addAll(engine.happenings);
        }
      }
      catchUp(projection);
    }
    assertEquals(happenings.size(), Tables.rows(database(), "SELECT 1 FROM event").size());
    List<String> before = Tables.all(database());
    delete();
    project();
    assertEquals(before, Tables.all(database()));
  }

  @Test
  void shouldTellOfInstancesThatGoOn() throws Exception {
    HttpServer service =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    AtomicInteger status = new AtomicInteger(500);
    service.createContext(
        "/",
        exchange -> {
          exchange.sendResponseHeaders(status.get(), -1);
          exchange.close();
        });
    service.start();
    String id;
    try (WorkedEngine engine = new WorkedEngine(data, limits, History.NONE)) {
      String url = "http://127.0.0.1:" + service.getAddress().getPort() + "/";
      InstanceId calls =
          engine.start(
              "calls", "{\"businessKey\":\"order 7\",\"input\":{\"url\":\"" + url + "\"}}");
      id = Long.toString(calls.value());
      project();
      assertEquals(List.of("FAULTED true"), state(id));
      status.set(204);
      engine.send("POST", "/v1/instances/" + calls + "/retry", "");
      engine.send("GET", "/v1/instances/" + calls, "", "prefer", "wait=10");
      InstanceId again = engine.rerun(calls);
      assertEquals("order 7", tag(engine.send("GET", "/v1/instances/" + again, "").body()));
    } finally {
      service.stop(0);
    }
    project();

    assertEquals(List.of("COMPLETED false"), state(id));
    List<String> before = Tables.all(database());
    delete();
    project();
    assertEquals(before, Tables.all(database()), "in batches of another size");
    assertEquals(
        List.of("1"),
        Tables.rows(
            database(),
            "SELECT COUNT(*) FROM event WHERE kind = 'INSTANCE_RETRIED' AND id = " + id));
    assertEquals(
        List.of("2"),
        Tables.rows(database(), "SELECT COUNT(*) FROM instance WHERE business_key = 'order 7'"));
  }

  @Test
  void shouldTellOfParentsAndChildren() throws Exception {
    limits = limits.with(Map.of("kernel.maxEnded", 0));
    try (HistoryReader reader = new HistoryReader(database(), limits);
        WorkedEngine engine = new WorkedEngine(data, limits, reader)) {
      InstanceId parent = engine.start("family", "{\"businessKey\":\"b\"}");
      project();

      List<Payload> found = reader.instances(childrenOf(parent)).items();
      assertEquals(
          List.of("faults", "steps"),
          found.stream().map(each -> each.json().at("/definition/name").asText()).toList());
      for (Payload each : found) {
        assertEquals(parent.toString(), each.json().at("/parent/id").asText());
        assertEquals("b", each.json().path("businessKey").asText());
      }
      String steps = found.getLast().json().path("id").asText();
      assertEquals("/do/0/child", found.getLast().json().at("/parent/task").asText());
      List<String> events =
          Objects.requireNonNull(reader.events(parent, -1, 100)).items().stream()
              .filter(each -> each.json().path("kind").asText().equals("CHILD_STARTED"))
              .map(
                  each ->
                      each.json().path("name").asText()
                          + ": "
                          + each.json().path("detail").asText())
              .toList();
      assertEquals(2, events.size(), events::toString);
      assertEquals("child: test/steps/1.0.0 as " + steps, events.getFirst());
      String shown = engine.send("GET", "/v1/instances/" + steps, "").body();
      String tie = "\"parent\":{\"id\":\"" + parent + "\",\"task\":\"/do/0/child\"}";
      assertTrue(shown.contains(tie), shown);
      HttpResponse<String> listed =
          engine.send("GET", "/v1/history/instances?parent=" + parent + "&limit=1", "");
      assertEquals(200, listed.statusCode(), listed.body());
      assertTrue(listed.headers().firstValue("link").orElse("").contains("parent=" + parent));
      assertEquals(400, engine.send("GET", "/v1/history/instances?parent=x", "").statusCode());
    }
    List<String> before = Tables.all(database());
    delete();
    project();
    assertEquals(before, Tables.all(database()), "in batches of another size");
  }

  private static History.Search childrenOf(InstanceId parent) {
    return new History.Search(
        null,
        null,
        null,
        null,
        null,
        parent,
        History.TimeRange.ALWAYS,
        new History.PageRequest(null, 9));
  }

  private static String tag(String instance) {
    return instance.replaceFirst("(?s).*\"businessKey\":\"([^\"]*)\".*", "$1");
  }

  private List<String> state(String id) throws SQLException {
    return Tables.rows(
        database(),
        "SELECT state, CASE WHEN error IS NULL THEN 'false' ELSE 'true' END FROM instance"
            + " WHERE id = "
            + id);
  }

  @Test
  void shouldMarkWhatItMissed() throws Exception {
    EngineLimits forgetful =
        limits.with(
            Map.of(
                "journal.segmentBytes", 1 << 16,
                "journal.closeLogBytes", 0,
                "journal.keptLogBytes", 0,
                "kernel.maxEnded", 0,
                "request.maxBodyBytes", 1 << 10,
                "definition.maxBytes", 1 << 10,
                "invoker.maxResponseBytes", 1 << 10,
                "kernel.maxRetryBytes", 1 << 10));
    InstanceId cancelled;
    InstanceId sleeper;
    try (WorkedEngine engine = new WorkedEngine(data, forgetful, History.NONE)) {
      cancelled = engine.startSleeper();
      work(engine, 1);
      project();
      // like a history that does not report its progress, for which nothing is kept
      Files.write(data.resolve("journal").resolve("0").resolve("readers"), new byte[0]);
      sleeper = engine.startSleeper();
      engine.send("POST", "/v1/instances/" + cancelled + "/cancellation", "");
      for (int i = 0; i < 250; i++) {
        engine.start("counts", "{\"input\":{\"n\":0,\"text\":\"" + "x".repeat(900) + "\"}}");
      }
    } // closes with a snapshot
    List<String> files;
    try (var listed = Files.list(data.resolve("journal").resolve("0"))) {
      files = listed.map(file -> String.valueOf(file.getFileName())).sorted().toList();
    }
    assertFalse(files.contains("0000000001.segment"), files::toString);

    project();

    assertEquals(
        List.of("UNKNOWN"),
        Tables.rows(database(), "SELECT state FROM instance WHERE id = " + cancelled.value()));
    assertEquals(
        List.of("RUNNING"),
        Tables.rows(database(), "SELECT state FROM instance WHERE id = " + sleeper.value()));
    for (InstanceId id : List.of(cancelled, sleeper)) {
      assertEquals(
          List.of("1"),
          Tables.rows(
              database(), "SELECT COUNT(*) FROM event WHERE kind = 'GAP' AND id = " + id.value()));
    }
  }

  @Test
  void shouldDeleteWhatIsTooMuch() throws Exception {
    work(5);
    project();
    // beyond the time for which results are kept
    execute("UPDATE instance SET ended_at = ended_at - 86400001");
    sweep(Map.of("history.retainInstances", 4));

    assertEquals(4, Tables.rows(database(), "SELECT 1 FROM instance").size());
    assertEquals(4, Tables.rows(database(), "SELECT DISTINCT id FROM event").size());
  }

  /** Field fault 4: the number of instances does not delete results that must be kept for a day. */
  @Test
  void shouldKeepMoreThanTheNumberForTheTimeThatResultsAreTold() throws Exception {
    List<InstanceId> ids = work(5);
    project();
    String old = " WHERE id IN (" + ids.get(1).value() + ", " + ids.get(6).value() + ")";
    execute("UPDATE instance SET ended_at = ended_at - 86400001" + old);
    sweep(Map.of("history.retainInstances", 4));

    assertEquals(List.of(), Tables.rows(database(), "SELECT 1 FROM instance" + old));
    assertEquals(8, Tables.rows(database(), "SELECT 1 FROM instance").size());
    try (HistoryReader reader = new HistoryReader(database(), limits)) {
      assertNotNull(reader.ended(ids.getFirst()));
    }
  }

  private void sweep(Map<String, Integer> settings) throws IOException {
    EngineLimits few = limits.with(settings);
    try (HistoryProjection projection =
        new HistoryProjection(data, database(), few, Clock.system(), () -> {}, false)) {
      projection.poll();
    }
  }

  /**
   * Field fault 22: expired instances are deleted even while nothing can be written, which makes
   * room.
   */
  @Test
  void shouldDeleteWhatIsTooOldWhileNothingCanBeWritten() throws Exception {
    work(3);
    project();
    execute("UPDATE instance SET ended_at = ended_at - 31 * 86400000");
    List<InstanceId> later = work(1);
    execute("CREATE TRIGGER full BEFORE INSERT ON event BEGIN SELECT RAISE(ABORT, 'full'); END");
    try (HistoryProjection projection = projection()) {
      projection.poll();
      assertNotNull(projection.failure());
      assertEquals(List.of(), Tables.rows(database(), "SELECT 1 FROM instance"));
      execute("DROP TRIGGER full");
      projection.poll();
      catchUp(projection);
    }
    try (HistoryReader reader = new HistoryReader(database(), limits)) {
      for (InstanceId id : later) {
        assertNotNull(reader.ended(id));
      }
    }
  }

  /** Field fault 5: the file stays within its room; the first instances make room for the last. */
  @Test
  void shouldGiveUpWhatEndedFirstWhenTheVolumeHasNoMoreRoom() throws Exception {
    Path file = Objects.requireNonNull(target().file());
    long size = 256L << 20;
    HistoryRoom.Volume volume = volume(size, 20L << 20);
    List<InstanceId> ids = new ArrayList<>();
    byte[] noise = new byte[150_000];
    Random random = new Random(SEED);
    try (WorkedEngine engine = new WorkedEngine(data, limits, History.NONE)) {
      for (int i = 0; i < 22; i++) {
        random.nextBytes(noise);
        String value = Base64.getEncoder().encodeToString(noise);
        ids.add(engine.start("echo", "{\"input\":{\"x\":\"" + value + "\"}}"));
      }
    }
    try (HistoryProjection projection =
        new HistoryProjection(
            data,
            database(),
            limits,
            Clock.system(),
            () -> {},
            false,
            HistoryRoom.of(volume, file, limits))) {
      do {
        projection.poll();
      } while (projection.lag() != 0);
      assertEquals(0, projection.lag());
      String told = String.valueOf(projection.failure());
      assertTrue(told.contains("given up sooner"), told);
    }
    assertTrue(Files.size(file) <= size / 16, "bytes: " + Files.size(file));
    try (HistoryReader reader = new HistoryReader(database(), limits)) {
      assertEquals(null, reader.ended(ids.getFirst()));
      assertNotNull(reader.ended(ids.getLast()));
    }
    List<String> left = Tables.rows(database(), "SELECT id FROM instance ORDER BY id");
    assertTrue(left.size() > 4, left::toString);
    assertEquals(
        ids.subList(ids.size() - left.size(), ids.size()).stream()
            .map(id -> Long.toString(id.value()))
            .toList(),
        left);
  }

  private static HistoryRoom.Volume volume(long size, long usable) {
    return new HistoryRoom.Volume() {
      @Override
      public long size() {
        return size;
      }

      @Override
      public long usable() {
        return usable;
      }
    };
  }

  private void execute(String sql) throws SQLException {
    database().writer().transaction(open -> open.execute(sql));
  }

  private void delete() throws IOException {
    for (String suffix : List.of("", "-wal", "-shm")) {
      Files.deleteIfExists(data.resolve("history").resolve("history.db" + suffix));
    }
  }
}

package dev.pinion.handlers.builtin.state;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.Clock;
import dev.pinion.handlers.api.CommitPoint;
import dev.pinion.handlers.api.Handler;
import dev.pinion.handlers.api.Message;
import dev.pinion.handlers.api.MessageId;
import dev.pinion.handlers.api.Point;
import dev.pinion.handlers.api.Verdict;
import dev.pinion.handlers.api.View;
import dev.pinion.handlers.builtin.HandlerTrial;
import dev.pinion.handlers.builtin.data.SchemaCheckFactory;
import dev.pinion.handlers.config.ChainReader;
import dev.pinion.handlers.config.HandlerKinds;
import dev.pinion.handlers.run.CallerRunsWorkers;
import dev.pinion.handlers.run.Chain;
import dev.pinion.handlers.run.Outcome;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The state of named resources. */
class ResourceTest {
  private static final String NAMED = "\"name\": \"body:/name\"";

  private final HandlerTrial.Hands clock = new HandlerTrial.Hands();
  private final List<Handler> open = new ArrayList<>();

  @TempDir private Path folder;
  private Handler insert;
  private Handler update;
  private Handler delete;
  private Handler get;
  private CommitPoint commit;

  @BeforeEach
  void open() throws Exception {
    insert =
        handler(
            "insert",
            ", \"value\": \"/value\", \"versionTarget\": \"/version\", \"maxResources\": 2,"
                + " \"maxValueBytes\": 8");
    update =
        handler("update", ", \"value\": \"/value\", \"version\": \"property:header.if-match\"");
    delete = handler("delete", "");
    get = handler("get", ", \"target\": \"/value\", \"versionTarget\": \"/version\"");
    commit =
        (CommitPoint) opened(HandlerTrial.handler(new ResourceCommitFactory(), "{" + file() + "}"));
  }

  private String file() {
    return "\"file\": \"" + folder.resolve("resources.db") + '"';
  }

  private Handler handler(String operation, String more) throws Exception {
    String settings =
        "{" + file() + ", \"operation\": \"" + operation + "\", " + NAMED + more + "}";
    return opened(HandlerTrial.handler(new ResourceFactory(clock), settings));
  }

  private Handler opened(Handler handler) {
    open.add(handler);
    return handler;
  }

  @AfterEach
  void close() {
    open.forEach(Handler::close);
    open.clear();
  }

  private static Message of(String body, String... ifMatch) {
    return HandlerTrial.message(
        ifMatch.length == 0 ? Map.of() : Map.of("header.if-match", ifMatch[0]),
        HandlerTrial.json(body));
  }

  private static Message named(String name) {
    return of("{\"name\":\"" + name + "\",\"value\":1}");
  }

  private void done(Handler handler, Message message) throws Exception {
    HandlerTrial.after(handler, message);
    HandlerTrial.after(commit, message);
  }

  private String value(String name) throws Exception {
    return HandlerTrial.text(HandlerTrial.after(get, of("{\"name\":\"" + name + "\"}")).body());
  }

  @Test
  void shouldKeepStateAndVersionsOverRestarts() throws Exception {
    Message made = HandlerTrial.after(insert, named("a"));
    assertEquals("{\"name\":\"a\",\"value\":1,\"version\":1}", HandlerTrial.text(made.body()));
    HandlerTrial.after(commit, made);
    done(update, of("{\"name\":\"a\",\"value\":{\"b\":2}}", "\"1\""));
    close();
    open();
    assertEquals("{\"name\":\"a\",\"value\":{\"b\":2},\"version\":2}", value("a"));
    done(delete, of("{\"name\":\"a\"}"));
    assertTrue(HandlerTrial.stopped(get, named("a")).startsWith("404 "));
    done(insert, named("a"));
    assertEquals(
        "{\"name\":\"a\",\"value\":1,\"version\":4}", value("a"), "no version comes twice");
  }

  @Test
  void shouldRefuseWhatDoesNotFitTheVersion() throws Exception {
    done(insert, named("a"));
    String changed = HandlerTrial.stopped(update, of("{\"name\":\"a\",\"value\":2}", "\"2\""));
    assertTrue(changed.startsWith("412 ") && changed.contains("version 1"), changed);
    assertTrue(
        HandlerTrial.stopped(update, of("{\"name\":\"a\",\"value\":2}", "*")).startsWith("400 "));
    assertTrue(HandlerTrial.stopped(update, of("{\"name\":\"a\",\"value\":2}")).startsWith("400 "));
    assertTrue(
        HandlerTrial.stopped(insert, named("a")).startsWith("409 expected no resource \"a\""));
    assertTrue(
        HandlerTrial.stopped(update, of("{\"name\":\"b\",\"value\":2}", "1")).startsWith("404 "));
    assertTrue(HandlerTrial.stopped(delete, named("b")).startsWith("404 "));
    assertEquals("{\"name\":\"a\",\"value\":1,\"version\":1}", value("a"));
  }

  @Test
  void shouldKeepOthersFromWhatIsPreparedUntilItIsRolledBack() throws Exception {
    done(insert, named("a"));
    Message first = of("{\"name\":\"a\",\"value\":2}", "1");
    HandlerTrial.after(update, first);
    assertEquals("{\"name\":\"a\",\"value\":1,\"version\":1}", value("a"), "nobody reads it yet");
    String busy = HandlerTrial.stopped(delete, named("a"));
    assertTrue(busy.startsWith("409 {retry-after=1}"), busy);
    View view = View.of(first, commit.declaration());
    commit.rollBack(view);
    commit.rollBack(view);
    done(delete, named("a"));
  }

  @Test
  void shouldGiveUpWhatIsPreparedForTooLong() throws Exception {
    done(insert, named("a"));
    Message lost = of("{\"name\":\"a\",\"value\":2}", "1");
    HandlerTrial.after(update, lost);
    clock.advance(59_999);
    assertTrue(HandlerTrial.stopped(delete, named("a")).startsWith("409 "));
    clock.advance(1);
    done(update, of("{\"name\":\"a\",\"value\":3}", "1"));
    assertTrue(HandlerTrial.stopped(commit, lost).startsWith("412 "));
    assertTrue(value("a").contains("\"value\":3"));
  }

  @Test
  void shouldBoundNumberAndSize() throws Exception {
    done(insert, named("a"));
    HandlerTrial.after(insert, named("b"));
    assertTrue(HandlerTrial.stopped(insert, named("c")).startsWith("503 {retry-after=60}"));
    done(delete, named("a"));
    done(insert, of("{\"name\":\"c\",\"value\":\"123456\"}"));
    String large = HandlerTrial.stopped(insert, of("{\"name\":\"d\",\"value\":\"1234567\"}"));
    assertTrue(large.startsWith("400 expected a value of at most 8 bytes"), large);
    assertTrue(HandlerTrial.stopped(insert, of("{\"name\":\"d\"}")).startsWith("400 "));
    assertTrue(HandlerTrial.stopped(insert, named("n".repeat(257))).startsWith("400 "));
    assertTrue(HandlerTrial.stopped(get, named("n".repeat(256))).startsWith("404 "));
    assertTrue(HandlerTrial.stopped(get, of("{\"name\":true}")).startsWith("400 "));
  }

  @Test
  void shouldPassMessagesWithoutAResourceWhereNoneIsRequired() throws Exception {
    Handler optional = handler("get", ", \"target\": \"/value\", \"required\": false");
    Message message = named("a");
    assertEquals(message, HandlerTrial.after(optional, message));
  }

  @Test
  void shouldLetOneOfManyUpdatesOfAVersionThrough() throws Exception {
    done(insert, named("a"));
    List<Callable<Boolean>> all = new ArrayList<>();
    for (int i = 0; i < 16; i++) {
      Message message = of("{\"name\":\"a\",\"value\":" + i + "}", "1");
      all.add(
          () ->
              HandlerTrial.verdict(update, message) instanceof Verdict.GoOn
                  && HandlerTrial.verdict(commit, message) instanceof Verdict.GoOn);
    }
    try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
      int through = 0;
      for (var each : threads.invokeAll(all)) {
        through += each.get() ? 1 : 0;
      }
      assertEquals(1, through);
    }
    assertTrue(value("a").endsWith("\"version\":2}"));
  }

  @Test
  void shouldRollBackWhenTheMessageStopsInItsChain() throws Exception {
    String document =
        """
        chains:
        - name: state
          handlers:
          - {use: resource, partner: resource-commit, settings: {FILE, operation: insert,
             name: 'body:/name', value: /value}}
          - {use: schema-check, settings: {schema: {properties: {value: {type: number}}}}}
          - {use: resource-commit, settings: {FILE}}
        """
            .replace("FILE", "file: " + folder.resolve("resources.db"));
    HandlerKinds kinds =
        HandlerKinds.of(
            List.of(
                new ResourceFactory(clock), new ResourceCommitFactory(), new SchemaCheckFactory()));
    EngineLimits limits = EngineLimits.defaults();
    Chain chain =
        new Chain(
            new ChainReader(kinds, limits, null).read(document).getFirst().plan(),
            new CallerRunsWorkers(Clock.system()),
            limits);
    List<Outcome> outcomes = new ArrayList<>();
    for (String value : List.of("\"no number\"", "7")) {
      chain.enter(
          Message.of(
              MessageId.random(),
              Point.REQUEST_IN,
              Map.of(),
              HandlerTrial.json("{\"name\":\"a\",\"value\":" + value + "}")),
          outcomes,
          List::add);
    }
    chain.close();
    assertInstanceOf(Outcome.Refused.class, outcomes.getFirst());
    assertInstanceOf(Outcome.Proceed.class, outcomes.getLast());
    assertTrue(value("a").contains("\"value\":7"));
  }

  @Test
  void shouldSayWhatIsWrongWithSettings() throws Exception {
    ResourceFactory factory = new ResourceFactory(clock);
    String file = "{" + file() + ", ";
    assertTrue(HandlerTrial.problems(factory, file + "\"target\": \"/a\"}").contains("found none"));
    for (String name : List.of("bytes", "body:", "property:a*", "name")) {
      String found =
          HandlerTrial.problems(factory, file + "\"name\": \"" + name + "\", \"target\": \"/a\"}");
      assertTrue(found.contains("expected one property or a part of the body"), found);
    }
    String got =
        HandlerTrial.problems(factory, file + NAMED + ", \"target\": \"/a\", \"value\": \"/b\"}");
    assertTrue(got.contains("expected a known setting, found \"value\""), got);
    String most = "\"operation\": \"delete\", \"maxResources\": ";
    assertEquals("[]", HandlerTrial.problems(factory, file + NAMED + ", " + most + "1000000}"));
    assertTrue(
        HandlerTrial.problems(factory, file + NAMED + ", " + most + "1000001}")
            .contains("1 to 1000000"));
  }
}

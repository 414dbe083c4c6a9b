package dev.pinion.bootstrap.serve;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pinion.bootstrap.serve.ServedEngine.Answer;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** A client that repeats each request until it is answered: the engine may be killed meanwhile. */
final class PatientClient {
  private static final Duration PATIENCE = Duration.ofSeconds(90);
  private static final Duration RETRY = Duration.ofMillis(20);
  private static final String NAMESPACE = "/v1/namespaces/test/";

  /** States before the end of an instance. */
  private static final Set<String> LIVING = Set.of("PENDING", "RUNNING", "WAITING", "SUSPENDED");

  private final Supplier<ServedEngine> engine;
  private final AtomicInteger repeatedEvents = new AtomicInteger();

  /**
   * A client.
   *
   * @param engine supplies the present serving engine
   */
  PatientClient(Supplier<ServedEngine> engine) {
    this.engine = engine;
  }

  /** Number of events that the engine had before. */
  int repeatedEvents() {
    return repeatedEvents.get();
  }

  void deploy(String document) throws IOException {
    Answer deployed = engine.get().post("/v1/definitions", "application/yaml", document);
    assertEquals(201, deployed.status(), deployed.body());
  }

  /** Starts the instance of a definition with a number; returns its id. */
  String start(String definition, int n) {
    return begun(
        "definitions/" + definition + "/instances",
        "{\"input\":{\"n\":" + n + "}}",
        definition + "-" + n);
  }

  /** Runs an ended instance again, once for each key; returns the id of the other one. */
  String rerun(String id, String key) {
    return begun("/v1/instances/" + id + "/rerun", "", key);
  }

  private String begun(String path, String body, String key) {
    Answer answer =
        repeat(
            path + " under " + key,
            () ->
                ServedEngine.ask(
                    "POST",
                    uri(path),
                    body,
                    "Content-Type",
                    "application/json",
                    "Idempotency-Key",
                    "\"" + key + "\"",
                    "Prefer",
                    "respond-async"),
            last -> isDone(last, Set.of(200, 202, 409)));
    return id(answer);
  }

  private static String id(Answer answer) {
    String id = json(answer).path("id").asText();
    assertTrue(id.startsWith("i_"), answer.body());
    return id;
  }

  /** Whether an answer is one of the expected ones; else the request is to be repeated. */
  private static boolean isDone(Answer answer, Set<Integer> expected) {
    boolean done = expected.contains(answer.status());
    assertTrue(done || answer.status() == 503, answer.body());
    return done;
  }

  /** Cancels, suspends or resumes an instance, unless it has ended. */
  void control(String id, String wish) {
    repeat(
        wish + " of " + id,
        () -> post("/v1/instances/" + id + "/" + wish, ""),
        last -> isDone(last, Set.of(202, 409)));
  }

  /** Pauses or resumes the schedule of a definition; returns what is known of it then. */
  JsonNode controlSchedule(String definition, String wish) {
    Answer answer =
        repeat(
            wish + " of " + definition,
            () -> post("definitions/" + definition + "/schedule/" + wish, ""),
            last -> isDone(last, Set.of(200, 404)) && last.status() == 200);
    return json(answer);
  }

  /** Posts an event about a number; the engine knows repetitions by its id. */
  void event(String type, int n) {
    String event =
        """
        {"specversion":"1.0","source":"/client","id":"%1$s-%2$s","type":"%1$s","data":{"n":%2$s}}\
        """
            .formatted(type, n);
    Answer answer =
        repeat(
            type + " " + n,
            () -> engine.get().post(NAMESPACE + "events", "application/cloudevents+json", event),
            last -> isDone(last, Set.of(202)));
    repeatedEvents.addAndGet(json(answer).path("repeated").asInt());
  }

  /**
   * Retries a faulted instance until it has completed. Whether a retry without an answer was done
   * is seen by a look at the instance.
   */
  void retry(String id) {
    repeat(
        "retry of " + id,
        () -> {
          Answer answer = engine.get().get("/v1/instances/" + id);
          if (isDone(answer, Set.of(200)) && isIn(answer, Set.of("FAULTED"))) {
            boolean _ = isDone(post("/v1/instances/" + id + "/retry", ""), Set.of(202, 409));
          }
          return answer;
        },
        last -> isDone(last, Set.of(200)) && isIn(last, Set.of("COMPLETED")));
  }

  /** An instance as soon as it has ended. */
  JsonNode ended(String id) {
    Answer answer =
        repeat(
            "end of " + id,
            () -> engine.get().get("/v1/instances/" + id),
            last -> isDone(last, Set.of(200)) && !isIn(last, LIVING));
    return json(answer);
  }

  private static boolean isIn(Answer answer, Set<String> states) {
    return states.contains(json(answer).path("state").asText());
  }

  /** The schedule of a definition, as soon as the replica that keeps it knows it. */
  JsonNode schedule(String definition) {
    Answer answer =
        repeat(
            "schedule of " + definition,
            () -> engine.get().get(NAMESPACE + "definitions/" + definition + "/schedule"),
            last -> isDone(last, Set.of(200, 404)) && last.status() == 200);
    return json(answer);
  }

  /** All instances that pass a filter. */
  List<JsonNode> list(String filter) {
    List<JsonNode> all = new ArrayList<>();
    String cursor = "";
    do {
      JsonNode page = page(filter + cursor);
      page.path("items").forEach(all::add);
      String next = page.path("next").asText();
      cursor = next.isEmpty() ? "" : "&cursor=" + next;
    } while (!cursor.isEmpty());
    return all;
  }

  private JsonNode page(String filter) {
    Answer answer =
        repeat(
            "list of " + filter,
            () -> engine.get().get("/v1/instances?limit=500&" + filter),
            last -> isDone(last, Set.of(200)) && !json(last).has("missingReplicas"));
    return json(answer);
  }

  private static JsonNode json(Answer answer) {
    try {
      return answer.json();
    } catch (IOException e) {
      throw new AssertionError(answer.body(), e);
    }
  }

  private Answer post(String path, String body) throws IOException {
    return ServedEngine.ask("POST", uri(path), body);
  }

  /** An address, below the namespace unless it is absolute. */
  private URI uri(String path) {
    return engine.get().uri().resolve(path.startsWith("/") ? path : NAMESPACE + path);
  }

  /** Repeats a request until its answer is the wanted one, and returns that. */
  private static Answer repeat(String what, Callable<Answer> request, Predicate<Answer> isWanted) {
    return await(what)
        .pollDelay(Duration.ZERO)
        .pollInterval(RETRY)
        .atMost(PATIENCE)
        .ignoreExceptionsInstanceOf(IOException.class)
        .until(request, isWanted);
  }
}

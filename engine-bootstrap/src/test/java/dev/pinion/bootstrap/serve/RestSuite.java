package dev.pinion.bootstrap.serve;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pinion.bootstrap.serve.ServedEngine.Answer;
import dev.pinion.core.model.InstanceId;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * Guarantees of the REST interface for all configurations: run against different engines. Each
 * request has a separate connection; in front of several replicas consecutive requests go to
 * different ones.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class RestSuite {
  private static final String YAML = "application/yaml";
  private static final String JSON = "application/json";
  private static final String TEST = "/v1/namespaces/test/definitions/";

  private ServedEngine engine;
  private int deployed;

  /** Options of {@code serve} besides those of all engines in the suite. */
  abstract String[] options();

  @BeforeAll
  void start(@TempDir Path data) throws IOException {
    engine = ServedEngine.start(data, options());
  }

  @AfterAll
  void stop() {
    engine.close();
  }

  @Test
  void shouldStartADefinitionRightAfterItsDeployment() throws IOException {
    for (int i = 0; i < 20; i++) {
      String name = deploy("set: { n: '${ .n + 1 }' }");
      for (int start = 0; start < 4; start++) {
        Answer answer = start(name, "{\"input\":{\"n\":" + start + "}}");
        assertEquals(200, answer.status(), answer.body());
        assertEquals("{\"n\":" + (start + 1) + "}", answer.json().path("output").toString());
      }
    }
  }

  @Test
  void shouldTellTheSameOfAnInstanceOnEveryConnection() throws IOException {
    String name = deploy("set: { done: true }");
    Answer started = start(name, "");
    String path = "/v1/instances/" + started.json().path("id").asText();

    for (int i = 0; i < 6; i++) {
      Answer shown = engine.get(path);
      assertEquals(200, shown.status(), shown.body());
      assertEquals(started.json(), shown.json());
      assertEquals("{\"done\":true}", engine.get(path + "/output").body());
      assertEquals(304, engine.get(path, "If-None-Match", shown.field("etag")).status());
    }
  }

  @Test
  void shouldAnswerAtOnceWhenAskedTo() throws IOException {
    String name = deploy("wait: { hours: 1 }");
    for (int i = 0; i < 4; i++) {
      Answer accepted =
          ServedEngine.ask(
              "POST",
              engine.uri().resolve(TEST + name + "/instances"),
              "{}",
              "Content-Type",
              JSON,
              "Prefer",
              "respond-async");
      assertEquals(202, accepted.status(), accepted.body());
      assertEquals("respond-async", accepted.field("preference-applied"));
      String location = accepted.field("location");

      Answer output = engine.get(location + "/output");
      assertEquals(202, output.status());
      assertEquals("1", output.field("retry-after"));
      assertEquals(202, cancel(location).status());
      assertEquals("CANCELLED", engine.get(location).json().path("state").asText());
      assertEquals(202, cancel(location).status(), "again");
      assertEquals(409, engine.get(location + "/output").status());
    }
  }

  @Test
  void shouldWakeWhoWaitsForAnInstanceOnAnotherConnection() throws Exception {
    String name = deploy("wait: { hours: 1 }");
    try (ExecutorService clients = Executors.newFixedThreadPool(4)) {
      Answer accepted =
          ServedEngine.ask(
              "POST",
              engine.uri().resolve(TEST + name + "/instances"),
              "{}",
              "Content-Type",
              JSON,
              "Prefer",
              "respond-async");
      String location = accepted.field("location");
      Callable<Answer> wait = () -> engine.get(location, "Prefer", "wait=60");
      List<Future<Answer>> waiting = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        waiting.add(clients.submit(wait));
      }

      assertEquals(202, cancel(location).status());

      for (Future<Answer> each : waiting) {
        Answer ended = each.get(60, TimeUnit.SECONDS);
        assertEquals("CANCELLED", ended.json().path("state").asText(), ended.body());
      }
    }
  }

  @Test
  void shouldReportAnInstanceThatFails() throws IOException {
    String name =
        deploy("raise: { error: { type: 'https://example.com/x', status: 418, title: Tea } }");

    Answer plain = start(name, "");
    Answer asHttp = engine.post(TEST + name + "/instances?fault=http", JSON, "{}");

    assertEquals(200, plain.status());
    assertEquals("FAULTED", plain.json().path("state").asText());
    assertEquals(418, plain.json().path("error").path("status").asInt());
    assertEquals(502, asHttp.status());
    assertEquals("application/problem+json", asHttp.field("content-type"));
    String path = "/v1/instances/" + plain.json().path("id").asText();
    for (int i = 0; i < 4; i++) {
      assertEquals(409, engine.get(path + "/output").status());
      assertEquals(409, cancel(path).status());
    }
  }

  @Test
  void shouldLetInstancesGoOnAndRunAgain() throws IOException {
    String name = deploy("raise: { error: { type: 'https://example.com/e', status: 400 } }");
    for (int i = 0; i < 4; i++) {
      Answer faulted = start(name, "{\"businessKey\":\"order " + i + "\"}");
      assertEquals("FAULTED", faulted.json().path("state").asText(), faulted.body());
      String path = "/v1/instances/" + faulted.json().path("id").asText();
      for (int again = 0; again < 3; again++) {
        Answer retried = post(path + "/retry", "wait=10");
        assertEquals(200, retried.status(), retried.body());
        assertEquals("FAULTED", retried.json().path("state").asText(), retried.body());
        assertEquals(faulted.json().path("id"), retried.json().path("id"));
      }
      Answer rerun = post(path + "/rerun", "wait=10");
      assertEquals(200, rerun.status(), rerun.body());
      assertNotEquals(faulted.json().path("id"), rerun.json().path("id"));
      assertEquals("order " + i, rerun.json().path("businessKey").asText());
      assertEquals(409, post(path + "/resumption", "").status());
    }
    Answer completed = start(deploy("set: { a: 1 }"), "");
    String path = "/v1/instances/" + completed.json().path("id").asText();
    for (int i = 0; i < 4; i++) {
      Answer refused = post(path + "/retry", "");
      assertEquals(409, refused.status(), refused.body());
      assertEquals("COMPLETED", refused.json().path("state").asText());
    }
  }

  @Test
  void shouldRunOtherDefinitionsWhereverTheyWereDeployed() throws IOException {
    String child = deploy("set: { n: '${ .n + 1 }' }");
    String parent =
        deploy(
            "run: { workflow: { namespace: test, name: %s, input: '${ . }' } }".formatted(child));
    for (int i = 0; i < 8; i++) {
      Answer answer = start(parent, "{\"input\":{\"n\":" + i + "},\"businessKey\":\"k\"}");
      assertEquals(200, answer.status(), answer.body());
      assertEquals("{\"n\":" + (i + 1) + "}", answer.json().path("output").toString());
      String id = answer.json().path("id").asText();
      for (int again = 0; again < 4; again++) {
        JsonNode listed = engine.get("/v1/instances?parent=" + id).json().path("items");
        assertEquals(1, listed.size(), listed::toString);
        assertEquals(child, listed.at("/0/definition/name").asText());
        assertEquals("k", listed.at("/0/businessKey").asText());
        JsonNode found = engine.get("/v1/instances/" + listed.at("/0/id").asText()).json();
        assertEquals(id, found.at("/parent/id").asText(), found::toString);
        assertEquals("/do/0/task", found.at("/parent/task").asText());
        assertEquals(found.path("parent"), listed.at("/0/parent"));
      }
    }
    assertEquals(400, engine.get("/v1/instances?parent=i_1").status());
  }

  @Test
  void shouldEndChildrenWithTheirParents() throws IOException {
    String child = deploy("wait: { hours: 1 }");
    String parent = deploy("run: { workflow: { namespace: test, name: %s } }".formatted(child));
    for (int i = 0; i < 4; i++) {
      Answer started =
          ServedEngine.ask(
              "POST",
              engine.uri().resolve(TEST + parent + "/instances"),
              "{}",
              "Content-Type",
              JSON,
              "Prefer",
              "respond-async");
      String location = started.field("location");
      String id = started.json().path("id").asText();
      String list = "/v1/instances?parent=" + id;
      await().until(() -> engine.get(list).json().path("items").size() == 1);
      String ofChild = "/v1/instances/" + engine.get(list).json().at("/items/0/id").asText();

      assertEquals(202, post(location + "/suspension", "").status());
      await().until(() -> state(ofChild).equals("SUSPENDED"));
      assertEquals(202, post(location + "/resumption", "").status());
      await().until(() -> state(ofChild).equals("WAITING"));
      assertEquals(202, cancel(location).status());
      Answer ended = engine.get(ofChild, "Prefer", "wait=60");
      assertEquals("CANCELLED", ended.json().path("state").asText(), ended.body());
    }
  }

  private String state(String location) throws IOException {
    return engine.get(location).json().path("state").asText();
  }

  private Answer post(String path, String prefer) throws IOException {
    return ServedEngine.ask("POST", engine.uri().resolve(path), "", "Prefer", prefer);
  }

  @Test
  void shouldListEveryInstanceOnceNewestFirst() throws IOException {
    String name = deploy("set: { a: 1 }");
    List<String> started = new ArrayList<>();
    for (int i = 0; i < 25; i++) {
      started.add(start(name, "").json().path("id").asText());
    }

    List<String> listed = new ArrayList<>();
    String next = "/v1/instances?definition=" + name + "&limit=4";
    while (!next.isEmpty()) {
      Answer page = engine.get(next);
      assertEquals(200, page.status(), page.body());
      assertFalse(page.json().has("missingReplicas"), page::body);
      for (JsonNode item : page.json().path("items")) {
        listed.add(item.path("id").asText());
      }
      String cursor = page.json().path("next").asText("");
      next =
          cursor.isEmpty() ? "" : "/v1/instances?definition=" + name + "&limit=4&cursor=" + cursor;
    }

    started.sort(Comparator.reverseOrder());
    assertEquals(started, listed);
  }

  @Test
  void shouldKeepOneContentUnderAVersion() throws IOException {
    String first = yaml("versioned", "1.0.0", "set: { a: 1 }");
    String other = yaml("versioned", "1.0.0", "set: { a: 2 }");
    String path = TEST + "versioned/versions/1.0.0";

    assertEquals(201, put(path, first).status());
    for (int i = 0; i < 4; i++) {
      assertEquals(200, put(path, first).status(), "the same again");
      assertEquals(409, put(path, other).status());
      assertEquals(409, engine.post("/v1/definitions", YAML, other).status());
      Answer shown = engine.get(path, "Accept", YAML);
      assertEquals(first, shown.body());
      Answer again = engine.get(path, "Accept", YAML, "If-None-Match", shown.field("etag"));
      assertEquals(304, again.status());
    }
  }

  @Test
  void shouldStartTheNewestVersionUnlessOneIsNamed() throws IOException {
    for (String version : List.of("1.0.0", "1.10.0", "1.9.0")) {
      String text = yaml("newest", version, "set: { version: '" + version + "' }");
      assertEquals(201, engine.post("/v1/definitions", YAML, text).status());
    }
    for (int i = 0; i < 4; i++) {
      assertEquals("1.10.0", version(start("newest", "")));
      Answer named = engine.post(TEST + "newest/versions/1.9.0/instances", JSON, "{}");
      assertEquals("1.9.0", version(named));
      assertEquals(3, engine.get(TEST + "newest").json().path("items").size());
    }
  }

  private static String version(Answer answer) throws IOException {
    return answer.json().path("output").path("version").asText();
  }

  @Test
  void shouldOnlyCheckWhenAskedTo() throws IOException {
    String text = yaml("checked", "1.0.0", "set: { a: 1 }");

    Answer checked = engine.post("/v1/definitions?dryRun=true", YAML, text);

    assertTrue(checked.json().path("valid").asBoolean(), checked.body());
    for (int i = 0; i < 4; i++) {
      assertEquals(404, engine.get(TEST + "checked").status());
    }
  }

  @Test
  void shouldLocateProblemsOfADefinition() throws IOException {
    for (int i = 0; i < 4; i++) {
      Answer refused =
          engine.post("/v1/definitions", YAML, yaml("broken", "1.0.0", "sett: { a: 1 }"));
      assertEquals(422, refused.status());
      assertFalse(refused.json().path("errors").isEmpty(), refused::body);
    }
  }

  @Test
  void shouldRefuseWhatItDoesNotUnderstandOnEveryConnection() throws IOException {
    String name = deploy("set: { a: 1 }");
    String starts = TEST + name + "/instances";
    for (int i = 0; i < 4; i++) {
      assertEquals(404, engine.get("/nowhere").status());
      assertEquals(404, start("unknown", "").status());
      assertEquals(404, engine.get("/v1/instances/nonsense").status());
      assertEquals(405, engine.get(starts).status());
      assertEquals("POST, OPTIONS", engine.get(starts).field("allow"));
      assertEquals(415, engine.post(starts, "text/plain", "{}").status());
      assertEquals(400, engine.post(starts, JSON, "{").status());
      assertEquals(400, engine.post(starts, JSON, "{\"inputs\":1}").status());
      assertEquals(400, engine.get("/v1/instances?limit=0").status());
      assertEquals(400, engine.get("/v1/instances?cursor=zzz").status());
      assertEquals(406, engine.get("/openapi.json", "Accept", "text/html").status());
      Answer problem = engine.get("/nowhere");
      assertEquals("application/problem+json", problem.field("content-type"));
      assertTrue(problem.json().path("detail").asText().startsWith("expected "), problem.body());
    }
  }

  @Test
  void shouldNotFindAnInstanceThatNeverWas() throws IOException {
    for (int partition = 0; partition < 8; partition++) {
      String id = InstanceId.next(1_700_000_000_000L, partition, null).toString();
      assertEquals(404, engine.get("/v1/instances/" + id).status());
      assertEquals(404, cancel("/v1/instances/" + id).status());
    }
  }

  @Test
  void shouldTellItsHealthAndDescribeItself() throws IOException {
    for (int i = 0; i < 4; i++) {
      assertEquals(200, engine.get("/livez").status());
      assertTrue(engine.get("/readyz").json().path("ready").asBoolean());
      assertEquals("3.1.0", engine.get("/openapi.json").json().path("openapi").asText());
    }
  }

  private Answer start(String name, String body) throws IOException {
    return engine.post(TEST + name + "/instances", JSON, body.isEmpty() ? "{}" : body);
  }

  private Answer cancel(String location) throws IOException {
    return ServedEngine.ask("POST", engine.uri().resolve(location + "/cancellation"), "");
  }

  private Answer put(String path, String text) throws IOException {
    return ServedEngine.ask("PUT", engine.uri().resolve(path), text, "Content-Type", YAML);
  }

  /** Deploys a definition of one task under a unique name. */
  private String deploy(String task) throws IOException {
    String name = "d" + deployed++;
    Answer answer = engine.post("/v1/definitions", YAML, yaml(name, "1.0.0", task));
    assertEquals(201, answer.status(), answer.body());
    return name;
  }

  private static String yaml(String name, String version, String task) {
    return """
        document: { dsl: '1.0.3', namespace: test, name: %s, version: '%s' }
        do:
          - task:
              %s
        """
        .formatted(name, version, task);
  }
}

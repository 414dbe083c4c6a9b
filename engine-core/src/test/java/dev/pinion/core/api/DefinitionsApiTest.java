package dev.pinion.core.api;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.api.RawHttpClient.HttpReply;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.message.KernelMessage;
import dev.pinion.core.message.Query;
import dev.pinion.core.message.Reply;
import dev.pinion.core.model.DefinitionKey;
import dev.pinion.core.model.DefinitionName;
import dev.pinion.core.model.instance.InstanceState;
import dev.pinion.core.model.instance.InstanceView;
import dev.pinion.core.peer.DefinitionReplication;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class DefinitionsApiTest {
  private static final String ALL = "/v1/definitions";
  private static final String JSON = "Content-Type: application/json\r\n";
  private static final String YAML = "Content-Type: application/yaml\r\n";
  private static final String PATH = "/v1/namespaces/ns/definitions/a%20b%2Fc/versions/1.2.3%2Bx";
  private static final String SOURCE =
      "document:\n  namespace: ns\n  name: a b/c\n  version: 1.2.3+x\n  title: Ü\n";

  @Test
  void shouldDeployOnceAndTellWhenItIsThere() throws Exception {
    try (RequestHandlerServer requestHandlerServer = RequestHandlerServer.plain();
        RawHttpClient client = requestHandlerServer.client()) {
      HttpReply created = client.ask("POST", ALL, YAML, SOURCE);
      assertEquals(201, created.status(), created.body());
      assertEquals(PATH, created.header("location"));
      assertTrue(created.body().contains("\"title\":\"Ü\""), created.body());
      HttpReply unchanged = client.ask("POST", ALL, YAML, SOURCE);
      assertEquals(200, unchanged.status());
      assertEquals(created.header("etag"), unchanged.header("etag"));
      assertEquals(409, client.ask("POST", ALL, YAML, SOURCE + "do: []\n").status());

      HttpReply json = client.get(PATH);
      assertEquals(200, json.status());
      assertEquals("application/json", json.header("content-type"));
      assertEquals(created.header("etag"), json.header("etag"));
      HttpReply yaml = client.ask("GET", PATH, "Accept: application/yaml\r\n", "");
      assertEquals(SOURCE, yaml.body());
      assertFalse(yaml.header("etag").equals(json.header("etag")));
      String known = "If-None-Match: " + json.header("etag") + "\r\n";
      assertEquals(304, client.ask("GET", PATH, known, "").status());
      assertEquals(
          200, client.ask("GET", PATH, known + "Accept: application/yaml\r\n", "").status());
    }
  }

  @Test
  void shouldPutOnlyWhatThePathNames() throws Exception {
    try (RequestHandlerServer requestHandlerServer = RequestHandlerServer.plain();
        RawHttpClient client = requestHandlerServer.client()) {
      String none = "If-None-Match: *\r\n" + YAML;
      assertEquals(201, client.ask("PUT", PATH, none, SOURCE).status());
      assertEquals(412, client.ask("PUT", PATH, none, SOURCE).status());
      assertEquals(200, client.ask("PUT", PATH, YAML, SOURCE).status());
      assertEquals(409, client.ask("PUT", PATH, YAML, SOURCE + "do: []\n").status());
      HttpReply other = client.ask("PUT", PATH + "1", YAML, SOURCE);
      assertEquals(422, other.status());
      assertTrue(other.body().contains("\"pointer\":\"/document\""), other.body());
    }
  }

  /** What a client posts after the answer is heard. */
  @Test
  void shouldAnswerWhenAScheduleOfEventsHasBegun() throws Exception {
    try (RequestHandlerServer requestHandlerServer = RequestHandlerServer.plain();
        RawHttpClient client = requestHandlerServer.client()) {
      FakeKernels kernels = requestHandlerServer.kernels;
      kernels.byHand();
      String path = "/v1/namespaces/n/definitions/a/versions/1.0.0";
      byte[] document = eventful("1.0.0").getBytes(StandardCharsets.UTF_8);
      client.send(RawHttpClient.request("POST", ALL, JSON, document));
      answerSchedule(kernels);
      assertEquals(201, client.read().status());

      client.send(RawHttpClient.request("POST", path + "/enablement", "", new byte[0]));
      answerSchedule(kernels);
      assertEquals(200, client.read().status());
      assertEquals(200, client.ask("POST", path + "/disablement", "", "").status());
      kernels.full = true;
      assertEquals(201, client.ask("POST", ALL, JSON, eventful("1.1.0")).status());
    }
  }

  private static void answerSchedule(FakeKernels kernels) throws InterruptedException {
    Query.GetSchedule asked = kernels.next(Query.GetSchedule.class);
    assertEquals(new DefinitionName("n", "a"), asked.name());
    kernels.reply(asked.replyTo(), new Reply.NoSchedule());
  }

  private static String eventful(String version) {
    String document = FakeDefinitionCatalog.document(new DefinitionKey("n", "a", version), "x");
    return document.substring(0, document.length() - 1)
        + ", \"schedule\": {\"on\": {\"any\": []}}}";
  }

  // Field fault 29
  @Test
  void shouldListByFilterAndGoOnBehindWhatIsGone() throws Exception {
    try (RequestHandlerServer requestHandlerServer = RequestHandlerServer.plain();
        RawHttpClient client = requestHandlerServer.client()) {
      for (String key :
          List.of("n a 1.0.0", "n a 1.10.0", "n a 1.9.0", "n ab 1.0.0", "m a 1.0.0")) {
        String[] parts = key.split(" ", -1);
        String document =
            FakeDefinitionCatalog.document(new DefinitionKey(parts[0], parts[1], parts[2]), "x");
        assertEquals(201, client.ask("POST", ALL, JSON, document).status());
      }
      assertEquals(4, listed(client.get(ALL + "?namespace=n")));
      assertEquals(4, listed(client.get(ALL + "?name=a")));
      assertEquals(3, listed(client.get(ALL + "?namespace=n&name=a")));
      assertEquals(1, listed(client.get(ALL + "?namespace=n&name=a&version=1.9.0")));
      assertEquals(5, listed(client.get(ALL + "?prefix=a")));
      assertEquals(1, listed(client.get(ALL + "?prefix=ab")));
      assertEquals(0, listed(client.get(ALL + "?namespace=x")));
      assertEquals(1, listed(client.get("/v1/namespaces/n/definitions?prefix=ab")));
      assertEquals(400, client.get("/v1/namespaces/n/definitions?namespace=n").status());

      HttpReply page = client.get(ALL + "?prefix=a&limit=2");
      String link = page.header("link");
      String next = link.substring(1, link.indexOf('>'));
      requestHandlerServer.kernels.script = nothingUnderWay(requestHandlerServer);
      String last = "/v1/namespaces/n/definitions/a/versions/1.0.0";
      assertTrue(page.body().contains("\"1.0.0\""), page.body());
      assertEquals(204, client.ask("DELETE", last, "", "").status());
      assertEquals(2, listed(client.get(next)));
    }
  }

  @Test
  void shouldListByStatusAndTime() throws Exception {
    try (RequestHandlerServer requestHandlerServer = RequestHandlerServer.plain();
        RawHttpClient client = requestHandlerServer.client()) {
      requestHandlerServer.definitions.nextMillis.set(1_767_323_045_000L);
      for (int i = 0; i < 3; i++) {
        DefinitionKey key = new DefinitionKey("n", "a", "1.0." + i);
        client.ask("POST", ALL, JSON, FakeDefinitionCatalog.document(key, "x"));
      }
      String path = "/v1/namespaces/n/definitions/a/versions/1.0.1";
      HttpReply disabled = client.ask("POST", path + "/disablement", "", "");
      assertEquals(200, disabled.status(), disabled.body());
      assertTrue(disabled.body().contains("\"enabled\":false"), disabled.body());
      assertTrue(disabled.body().contains("\"deployedAt\":\"2026-01-02T03:04:05.001Z\""));

      String list = ALL + "?namespace=n";
      assertEquals(3, listed(client.get(list)));
      assertEquals(1, listed(client.get(list + "&enabled=false")));
      assertEquals(2, listed(client.get(list + "&enabled=true")));
      assertEquals(400, client.get(list + "&enabled=maybe").status());
      assertEquals(400, client.get(list + "&enabled=").status());
      assertEquals(3, listed(client.get(list + "&deployedAfter=2026-01-02T03:04:05Z")));
      assertEquals(2, listed(client.get(list + "&deployedAfter=2026-01-02T04:04:05.001%2B01:00")));
      assertEquals(400, client.get(list + "&deployedAfter=2026").status());
      String versions = "/v1/namespaces/n/definitions/a";
      assertEquals(1, listed(client.get(versions + "?enabled=false")));
      HttpReply page = client.get(versions + "?enabled=true&limit=1");
      String link = page.header("link");
      assertEquals(1, listed(client.get(link.substring(1, link.indexOf('>')))));
      String cursor = link.substring(link.indexOf("cursor="), link.indexOf('>'));
      assertEquals(404, client.get(versions + "?enabled=false&" + cursor).status());

      assertEquals(200, client.ask("POST", path + "/enablement", JSON, "{}").status());
      assertEquals(0, listed(client.get(list + "&enabled=false")));
      assertEquals(400, client.ask("POST", path + "/enablement", JSON, "{\"a\":1}").status());
      assertEquals(404, client.ask("POST", path + "9/enablement", "", "").status());
      assertEquals(405, client.get(path + "/enablement").status());
    }
  }

  @Test
  void shouldCompareVersions() throws Exception {
    try (RequestHandlerServer requestHandlerServer = RequestHandlerServer.plain();
        RawHttpClient client = requestHandlerServer.client()) {
      String newer = SOURCE.replace("1.2.3+x", "1.2.4").replace("title: Ü", "title: Y");
      client.ask("POST", ALL, YAML, SOURCE);
      client.ask("POST", ALL, YAML, newer);
      HttpReply json = client.get(PATH + "/diff?to=1.2.4");
      assertEquals(200, json.status(), json.body());
      assertEquals(
          "{\"from\":{\"namespace\":\"ns\",\"name\":\"a b/c\",\"version\":\"1.2.3+x\"},"
              + "\"to\":{\"namespace\":\"ns\",\"name\":\"a b/c\",\"version\":\"1.2.4\"},"
              + "\"changes\":[{\"op\":\"replace\",\"path\":\"/document/title\",\"was\":\"Ü\",\"value\":\"Y\"},"
              + "{\"op\":\"replace\",\"path\":\"/document/version\",\"was\":\"1.2.3+x\",\"value\":\"1.2.4\"}]}",
          json.body());
      assertEquals(json.body(), client.get(PATH + "/diff").body(), "the newest one");

      HttpReply text = client.ask("GET", PATH + "/diff?to=1.2.4", "Accept: text/x-diff\r\n", "");
      assertEquals("text/x-diff;charset=utf-8", text.header("content-type"));
      assertEquals("accept", text.header("vary"));
      assertEquals(
          """
          --- ns/a b/c/1.2.3+x
          +++ ns/a b/c/1.2.4
          @@ -1,5 +1,5 @@
           document:
             namespace: ns
             name: a b/c
          -  version: 1.2.3+x
          -  title: Ü
          +  version: 1.2.4
          +  title: Y
          """,
          text.body());
      client.ask(
          "POST",
          ALL,
          JSON,
          FakeDefinitionCatalog.document(new DefinitionKey("ns", "a b/c", "1.2.5"), "Ü"));
      HttpReply indented = client.ask("GET", PATH + "/diff?to=1.2.5", "Accept: text/*\r\n", "");
      assertTrue(indented.body().contains("-    \"version\" : \"1.2.3+x\",\n"), indented.body());
      String same = PATH + "/diff?to=1.2.3%2Bx";
      assertEquals("", client.ask("GET", same, "Accept: text/x-diff\r\n", "").body());
      assertTrue(client.get(same).body().endsWith("\"changes\":[]}"));
      assertEquals(404, client.get(PATH + "/diff?to=9.0.0").status());
      assertEquals(404, client.get(PATH + "9/diff").status());
      assertEquals(400, client.get(PATH + "/diff?from=1").status());
      assertEquals(406, client.ask("GET", same, "Accept: text/html\r\n", "").status());
    }
  }

  private static int listed(HttpReply reply) {
    assertEquals(200, reply.status(), reply.body());
    return reply.body().split("\"sha256\"", -1).length - 1;
  }

  private static Consumer<KernelMessage> nothingUnderWay(
      RequestHandlerServer requestHandlerServer) {
    return message ->
        requestHandlerServer.kernels.reply(
            ((Query.ListInstances) message).replyTo(), new Reply.Page(List.of()));
  }

  // Field fault 29
  @Test
  void shouldDeleteWhatNoInstanceUses() throws Exception {
    String path = "/v1/namespaces/test/definitions/echo/versions/1.0.0";
    try (RequestHandlerServer requestHandlerServer = RequestHandlerServer.plain();
        RawHttpClient client = requestHandlerServer.client()) {
      for (InstanceState used :
          List.of(InstanceState.RUNNING, InstanceState.WAITING, InstanceState.SUSPENDED)) {
        requestHandlerServer.kernels.script =
            message -> {
              Query.ListInstances asked = (Query.ListInstances) message;
              assertEquals("1.0.0", asked.version());
              InstanceView one = FakeKernels.view(FakeKernels.ID, used, null);
              requestHandlerServer.kernels.reply(
                  asked.replyTo(),
                  new Reply.Page(asked.states().contains(used) ? List.of(one) : List.of()));
            };
        HttpReply inUse = client.ask("DELETE", path, "", "");
        assertEquals(409, inUse.status());
        assertTrue(inUse.body().contains(FakeKernels.ID.toString()), inUse.body());
      }
      requestHandlerServer.kernels.script = nothingUnderWay(requestHandlerServer);
      requestHandlerServer.definitions.changedByHand = true;
      HttpReply changed = client.ask("DELETE", path, "", "");
      assertEquals(409, changed.status(), changed.body());
      assertTrue(changed.body().contains("found another text"), changed.body());
      requestHandlerServer.definitions.changedByHand = false;
      assertEquals(204, client.ask("DELETE", path, JSON, "{}").status());
      assertEquals(404, client.ask("DELETE", path, "", "").status());
      assertEquals(404, client.get(path).status());
    }
  }

  /** Field fault 29: an instance that changes its state meanwhile is not missed. */
  @Test
  void shouldLookForInstancesOfAllStatesAtOnce() throws Exception {
    String path = "/v1/namespaces/test/definitions/echo/versions/1.0.0";
    try (RequestHandlerServer requestHandlerServer = RequestHandlerServer.plain();
        RawHttpClient client = requestHandlerServer.client()) {
      List<Set<InstanceState>> asked = new ArrayList<>();
      requestHandlerServer.kernels.script =
          message -> {
            Query.ListInstances list = (Query.ListInstances) message;
            InstanceState now = asked.isEmpty() ? InstanceState.WAITING : InstanceState.RUNNING;
            asked.add(list.states());
            InstanceView one = FakeKernels.view(FakeKernels.ID, now, null);
            boolean seen = list.states().contains(now);
            requestHandlerServer.kernels.reply(
                list.replyTo(), new Reply.Page(seen ? List.of(one) : List.of()));
          };

      assertEquals(409, client.ask("DELETE", path, "", "").status());

      assertEquals(
          List.of(
              Set.of(
                  InstanceState.PENDING,
                  InstanceState.RUNNING,
                  InstanceState.WAITING,
                  InstanceState.SUSPENDED)),
          asked);
      assertEquals(400, client.get("/v1/instances?state=UNDER_WAY").status(), "among replicas");
    }
  }

  /** The search of a deletion counts as a list: all are bounded together. */
  @Test
  void shouldRefuseADeletionBeyondTheListsUnderWay() throws Exception {
    String path = "/v1/namespaces/test/definitions/echo/versions/1.0.0";
    List<RawHttpClient> lists = new ArrayList<>();
    try (RequestHandlerServer requestHandlerServer = RequestHandlerServer.plain();
        RawHttpClient client = requestHandlerServer.client()) {
      requestHandlerServer.kernels.byHand();
      for (int i = 0; i < EngineLimits.defaults().request().maxLists(); i++) {
        RawHttpClient one = requestHandlerServer.client();
        lists.add(one);
        String list = i == 0 ? "DELETE" : "GET";
        one.send(RawHttpClient.request(list, i == 0 ? path : "/v1/instances", "", new byte[0]));
        requestHandlerServer.kernels.next(Query.ListInstances.class);
      }
      HttpReply refused = client.ask("DELETE", path, "", "");
      assertEquals(503, refused.status(), refused.body());
      assertEquals(503, client.get("/v1/instances").status());
      for (RawHttpClient each : lists) {
        each.close();
      }
      await()
          .until(
              () ->
                  requestHandlerServer.onLoop(
                          () -> requestHandlerServer.handler.context().pending().size())
                      == 0);
      requestHandlerServer.kernels.script = nothingUnderWay(requestHandlerServer);
      assertEquals(204, client.ask("DELETE", path, "", "").status());
    }
  }

  @Test
  void shouldCheckWithoutInstalling() throws Exception {
    try (RequestHandlerServer requestHandlerServer = RequestHandlerServer.plain();
        RawHttpClient client = requestHandlerServer.client()) {
      HttpReply valid = client.ask("POST", ALL + "?dryRun=true", YAML, SOURCE);
      assertEquals(200, valid.status());
      assertEquals("{\"valid\":true,\"problems\":[]}", valid.body());
      assertEquals(404, client.get(PATH).status());
      HttpReply invalid = client.ask("POST", ALL + "?dryRun=true", JSON, "{}");
      assertEquals(200, invalid.status());
      assertTrue(invalid.body().startsWith("{\"valid\":false,\"problems\":[{\"pointer\":"));
      HttpReply refused = client.ask("POST", ALL + "?dryRun=false", JSON, "{}");
      assertEquals(422, refused.status());
      assertTrue(refused.body().contains("\"errors\":[{\"pointer\":\"/document\",\"line\":1"));
      assertEquals(400, client.ask("POST", ALL + "?dryRun=maybe", JSON, "{}").status());
      assertEquals(400, client.ask("POST", ALL, JSON, "").status());
    }
  }

  @Test
  void shouldAnswer503WhenNoMoreCanBeDeployed() throws Exception {
    RequestHandlerServer.Options options = new RequestHandlerServer.Options();
    options.ownAncillary = false;
    options.ancillary =
        task -> {
          throw new RejectedExecutionException();
        };
    try (RequestHandlerServer requestHandlerServer = new RequestHandlerServer(options);
        RawHttpClient client = requestHandlerServer.client()) {
      HttpReply reply = client.ask("POST", ALL, YAML, SOURCE);
      assertEquals(503, reply.status());
      assertEquals("1", reply.header("retry-after"));
    }
    try (RequestHandlerServer requestHandlerServer = RequestHandlerServer.plain();
        RawHttpClient client = requestHandlerServer.client()) {
      requestHandlerServer.definitions.max = 1;
      assertEquals(503, client.ask("POST", ALL, YAML, SOURCE).status());
    }
  }

  @Test
  void shouldListInPages() throws Exception {
    try (RequestHandlerServer requestHandlerServer = RequestHandlerServer.plain();
        RawHttpClient client = requestHandlerServer.client()) {
      for (int i = 0; i < 3; i++) {
        DefinitionKey key = new DefinitionKey("ns", "name", "1.0." + i);
        client.ask("POST", ALL, JSON, FakeDefinitionCatalog.document(key, "t"));
      }
      client.ask("POST", ALL, YAML, SOURCE);
      String versions = "/v1/namespaces/ns/definitions/name";
      HttpReply first = client.get(versions + "?limit=2");
      assertEquals(200, first.status());
      String link = first.header("link");
      HttpReply second = client.get(link.substring(1, link.indexOf('>')));
      assertTrue(second.body().contains("\"version\":\"1.0.2\""), second.body());
      assertFalse(second.body().contains("\"next\""), second.body());

      String cursor = link.substring(link.indexOf("cursor="), link.indexOf('>'));
      assertEquals(404, client.get(ALL + "?" + cursor).status());
      assertEquals(5, client.get(ALL).body().split("sha256", -1).length - 1);
      String namespace = "/v1/namespaces/ns/definitions";
      assertEquals(4, client.get(namespace).body().split("sha256", -1).length - 1);
      assertEquals(404, client.get(namespace + "/none").status());
      assertEquals("{\"items\":[]}", client.get("/v1/namespaces/none/definitions").body());
    }
  }

  @Test
  void shouldAnswer406ForYamlOfWhatWasDeployedAsJson() throws Exception {
    String path = DefinitionReplication.path(FakeDefinitionCatalog.KEY);
    try (RequestHandlerServer requestHandlerServer = RequestHandlerServer.plain();
        RawHttpClient client = requestHandlerServer.client()) {
      assertEquals(406, client.ask("GET", path, "Accept: application/yaml\r\n", "").status());
      String either = "Accept: application/yaml, application/json;q=0.5\r\n";
      assertEquals("application/json", client.ask("GET", path, either, "").header("content-type"));
    }
  }
}

package dev.pinion.core.request;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.model.DefinitionKey;
import dev.pinion.core.request.RawClient.Reply;
import java.util.concurrent.RejectedExecutionException;
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
    try (Served served = Served.plain();
        RawClient client = served.client()) {
      Reply created = client.ask("POST", ALL, YAML, SOURCE);
      assertEquals(201, created.status(), created.body());
      assertEquals(PATH, created.header("location"));
      assertTrue(created.body().contains("\"title\":\"Ü\""), created.body());
      Reply unchanged = client.ask("POST", ALL, YAML, SOURCE);
      assertEquals(200, unchanged.status());
      assertEquals(created.header("etag"), unchanged.header("etag"));
      assertEquals(409, client.ask("POST", ALL, YAML, SOURCE + "do: []\n").status());

      Reply json = client.get(PATH);
      assertEquals(200, json.status());
      assertEquals("application/json", json.header("content-type"));
      assertEquals(created.header("etag"), json.header("etag"));
      Reply yaml = client.ask("GET", PATH, "Accept: application/yaml\r\n", "");
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
    try (Served served = Served.plain();
        RawClient client = served.client()) {
      String none = "If-None-Match: *\r\n" + YAML;
      assertEquals(201, client.ask("PUT", PATH, none, SOURCE).status());
      assertEquals(412, client.ask("PUT", PATH, none, SOURCE).status());
      assertEquals(200, client.ask("PUT", PATH, YAML, SOURCE).status());
      assertEquals(409, client.ask("PUT", PATH, YAML, SOURCE + "do: []\n").status());
      Reply other = client.ask("PUT", PATH + "1", YAML, SOURCE);
      assertEquals(422, other.status());
      assertTrue(other.body().contains("\"pointer\":\"/document\""), other.body());
    }
  }

  @Test
  void shouldCheckWithoutInstalling() throws Exception {
    try (Served served = Served.plain();
        RawClient client = served.client()) {
      Reply valid = client.ask("POST", ALL + "?dryRun=true", YAML, SOURCE);
      assertEquals(200, valid.status());
      assertEquals("{\"valid\":true,\"problems\":[]}", valid.body());
      assertEquals(404, client.get(PATH).status());
      Reply invalid = client.ask("POST", ALL + "?dryRun=true", JSON, "{}");
      assertEquals(200, invalid.status());
      assertTrue(invalid.body().startsWith("{\"valid\":false,\"problems\":[{\"pointer\":"));
      Reply refused = client.ask("POST", ALL + "?dryRun=false", JSON, "{}");
      assertEquals(422, refused.status());
      assertTrue(refused.body().contains("\"errors\":[{\"pointer\":\"/document\",\"line\":1"));
      assertEquals(400, client.ask("POST", ALL + "?dryRun=maybe", JSON, "{}").status());
      assertEquals(400, client.ask("POST", ALL, JSON, "").status());
    }
  }

  @Test
  void shouldAnswer503WhenNoMoreCanBeDeployed() throws Exception {
    Served.Options options = new Served.Options();
    options.ownAncillary = false;
    options.ancillary =
        task -> {
          throw new RejectedExecutionException();
        };
    try (Served served = new Served(options);
        RawClient client = served.client()) {
      Reply reply = client.ask("POST", ALL, YAML, SOURCE);
      assertEquals(503, reply.status());
      assertEquals("1", reply.header("retry-after"));
    }
    try (Served served = Served.plain();
        RawClient client = served.client()) {
      served.definitions.max = 1;
      assertEquals(503, client.ask("POST", ALL, YAML, SOURCE).status());
    }
  }

  @Test
  void shouldListInPages() throws Exception {
    try (Served served = Served.plain();
        RawClient client = served.client()) {
      for (int i = 0; i < 3; i++) {
        DefinitionKey key = new DefinitionKey("ns", "name", "1.0." + i);
        client.ask("POST", ALL, JSON, FakeDefinitions.document(key, "t"));
      }
      client.ask("POST", ALL, YAML, SOURCE);
      String versions = "/v1/namespaces/ns/definitions/name";
      Reply first = client.get(versions + "?limit=2");
      assertEquals(200, first.status());
      String link = first.header("link");
      Reply second = client.get(link.substring(1, link.indexOf('>')));
      assertTrue(second.body().contains("\"version\":\"1.0.2\""), second.body());
      assertFalse(second.body().contains("\"next\""), second.body());

      String cursor = link.substring(link.indexOf("cursor="), link.indexOf('>'));
      assertEquals(400, client.get(ALL + "?" + cursor).status());
      assertEquals(5, client.get(ALL).body().split("sha256", -1).length - 1);
      String namespace = "/v1/namespaces/ns/definitions";
      assertEquals(4, client.get(namespace).body().split("sha256", -1).length - 1);
      assertEquals(404, client.get(namespace + "/none").status());
      assertEquals("{\"items\":[]}", client.get("/v1/namespaces/none/definitions").body());
    }
  }

  @Test
  void shouldAnswer406ForYamlOfWhatWasDeployedAsJson() throws Exception {
    String path = DefinitionEndpoints.path(FakeDefinitions.KEY);
    try (Served served = Served.plain();
        RawClient client = served.client()) {
      assertEquals(406, client.ask("GET", path, "Accept: application/yaml\r\n", "").status());
      String either = "Accept: application/yaml, application/json;q=0.5\r\n";
      assertEquals("application/json", client.ask("GET", path, either, "").header("content-type"));
    }
  }
}

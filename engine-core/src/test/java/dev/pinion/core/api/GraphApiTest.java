package dev.pinion.core.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.api.RawHttpClient.HttpReply;
import dev.pinion.core.model.DefinitionSchema;
import dev.pinion.core.peer.DefinitionReplication;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class GraphApiTest {
  private static final String VERSION = DefinitionReplication.path(FakeDefinitionCatalog.KEY);
  private static final String PATH = VERSION + "/graph";

  private static String accept(String types) {
    return "Accept: " + types + "\r\n";
  }

  @Test
  void shouldDrawInTheFormThatIsWanted() throws Exception {
    RequestHandlerServer.Options options = new RequestHandlerServer.Options();
    options.pictures = diagram -> "<svg>" + diagram.title() + "</svg>";
    try (RequestHandlerServer requestHandlerServer = new RequestHandlerServer(options);
        RawHttpClient client = requestHandlerServer.client()) {
      HttpReply picture = client.get(PATH);
      assertEquals(200, picture.status(), picture.body());
      assertEquals("<svg>test/echo 1.0.0</svg>", picture.body());
      assertEquals("image/svg+xml", picture.header("content-type"));
      assertEquals("accept", picture.header("vary"));
      assertTrue(picture.header("content-security-policy").startsWith("default-src 'none';"));
      String browser = accept("text/html,application/xhtml+xml,image/avif,*/*;q=0.8");
      assertEquals(picture.body(), client.ask("GET", PATH, browser, "").body());

      HttpReply mermaid = client.ask("GET", PATH, accept("text/vnd.mermaid"), "");
      assertEquals("text/vnd.mermaid;charset=utf-8", mermaid.header("content-type"));
      assertTrue(mermaid.body().contains("flowchart TD"), mermaid.body());
      HttpReply text = client.ask("GET", PATH, accept("text/plain"), "");
      assertEquals("text/plain;charset=utf-8", text.header("content-type"));
      assertEquals(mermaid.body(), text.body());
      HttpReply json = client.ask("GET", PATH, accept("application/json"), "");
      assertTrue(json.body().startsWith("{\"title\":\"test/echo 1.0.0\",\"nodes\":"), json.body());
      assertEquals(406, client.ask("GET", PATH, accept("image/png"), "").status());
      assertEquals(404, client.get(PATH.replace("1.0.0", "9.0.0")).status());
      assertEquals(400, client.get(PATH + "?format=svg").status());
    }
  }

  @Test
  void shouldDrawAgainOnlyWhatChanged() throws Exception {
    RequestHandlerServer.Options options = new RequestHandlerServer.Options();
    options.pictures = diagram -> "<svg/>";
    try (RequestHandlerServer requestHandlerServer = new RequestHandlerServer(options);
        RawHttpClient client = requestHandlerServer.client()) {
      String tag = Objects.requireNonNull(client.get(PATH).header("etag"));
      assertEquals(304, client.ask("GET", PATH, "If-None-Match: " + tag + "\r\n", "").status());
      String other = accept("text/plain") + "If-None-Match: " + tag + "\r\n";
      assertEquals(200, client.ask("GET", PATH, other, "").status());
    }
  }

  @Test
  void shouldOfferTextsWhereNothingDrawsPictures() throws Exception {
    try (RequestHandlerServer requestHandlerServer = RequestHandlerServer.plain();
        RawHttpClient client = requestHandlerServer.client()) {
      assertEquals("text/vnd.mermaid;charset=utf-8", client.get(PATH).header("content-type"));
      HttpReply refused = client.ask("GET", PATH, accept("image/svg+xml"), "");
      assertEquals(406, refused.status());
      String either = accept("image/svg+xml, application/json;q=0.1");
      assertEquals("application/json", client.ask("GET", PATH, either, "").header("content-type"));
    }
  }

  @Test
  void shouldRefuseWhatIsTooLarge() throws Exception {
    try (RequestHandlerServer requestHandlerServer =
            RequestHandlerServer.with(Map.of("definition.maxDrawnTasks", 1));
        RawHttpClient client = requestHandlerServer.client()) {
      String document =
          FakeDefinitionCatalog.document(FakeDefinitionCatalog.KEY, "x").replace("1.0.0", "2.0.0");
      String tasks = document.substring(0, document.length() - 1) + ", \"do\": [{\"a\": {}}";
      String json = "Content-Type: application/json\r\n";
      client.ask("POST", "/v1/definitions", json, tasks + "]}");
      assertEquals(200, client.get(PATH.replace("1.0.0", "2.0.0")).status());
      client.ask(
          "POST", "/v1/definitions", json, tasks.replace("2.0.0", "3.0.0") + ", {\"b\": {}}]}");
      HttpReply refused = client.get(PATH.replace("1.0.0", "3.0.0"));
      assertEquals(409, refused.status());
      assertTrue(refused.body().contains("\"code\":\"too-large-to-draw\""), refused.body());
      assertTrue(refused.body().contains("\"limit\":\"definition.maxDrawnTasks\""));
    }
  }

  @Test
  void shouldShowTheSchemaOfDefinitions() throws Exception {
    try (RequestHandlerServer requestHandlerServer = RequestHandlerServer.plain();
        RawHttpClient client = requestHandlerServer.client()) {
      HttpReply schema = client.get("/v1/schema");
      assertEquals(200, schema.status());
      assertEquals("application/schema+json", schema.header("content-type"));
      assertEquals(DefinitionSchema.text(), schema.body());
      HttpReply json = client.ask("GET", "/v1/schema", accept("application/json"), "");
      assertEquals("application/json", json.header("content-type"));
      String known = "If-None-Match: " + schema.header("etag") + "\r\n";
      assertEquals(304, client.ask("GET", "/v1/schema", known, "").status());
      assertEquals(400, client.get("/v1/schema?x=1").status());
      assertEquals(405, client.ask("POST", "/v1/schema", "", "").status());
    }
  }
}

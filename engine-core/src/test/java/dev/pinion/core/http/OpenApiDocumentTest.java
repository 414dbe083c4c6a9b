package dev.pinion.core.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.Error;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.pinion.core.api.FakeDefinitionCatalog;
import dev.pinion.core.api.FakeKernels;
import dev.pinion.core.api.FakeSchedules;
import dev.pinion.core.api.RawHttpClient;
import dev.pinion.core.api.RawHttpClient.HttpReply;
import dev.pinion.core.api.RequestHandlerServer;
import dev.pinion.core.binding.BindingSource;
import dev.pinion.core.binding.BindingTable;
import dev.pinion.core.message.Command;
import dev.pinion.core.message.KernelMessage;
import dev.pinion.core.message.Query;
import dev.pinion.core.message.Reply;
import dev.pinion.core.message.Reply.CallbackStatus;
import dev.pinion.core.model.DefinitionName;
import dev.pinion.core.model.ErrorType;
import dev.pinion.core.model.WorkflowError;
import dev.pinion.core.model.call.CallbackAddresses;
import dev.pinion.core.model.instance.InstanceState;
import dev.pinion.core.model.instance.InstanceView;
import dev.pinion.core.spi.BrokerGateway;
import dev.pinion.core.spi.BrokerGateway.BrokerStatus;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class OpenApiDocumentTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final CallbackAddresses CALLBACKS = new CallbackAddresses(new byte[32], "");
  private static final String BASE = "/v1/namespaces/test/definitions/echo";
  private static final String INSTANCE = "/v1/instances/" + FakeKernels.ID;

  @Test
  void shouldDescribeEveryRouteAndResolveEveryReference() throws Exception {
    try (RequestHandlerServer requestHandlerServer = RequestHandlerServer.plain();
        RawHttpClient client = requestHandlerServer.client()) {
      JsonNode document = JSON.readTree(client.get("/openapi.json").body());
      assertEquals("3.1.0", document.path("openapi").asText());
      assertEquals("test", document.at("/info/version").asText());
      Set<String> ids = new HashSet<>();
      for (Route route : routes(requestHandlerServer)) {
        JsonNode operation = operation(document, route);
        assertEquals(route.operation().id(), operation.path("operationId").asText());
        assertTrue(ids.add(route.operation().id()), route.operation().id());
        assertFalse(operation.path("summary").asText().isEmpty());
        assertTrue(operation.path("responses").has("400"));
        for (Route.ResponseSpec responseSpec : route.operation().responses()) {
          assertEquals(
              responseSpec.description(),
              operation.at("/responses/" + responseSpec.status() + "/description").asText(),
              () -> route.operation().id() + " tells one answer of each status");
        }
      }
      List<String> references = document.findValuesAsText("$ref");
      assertTrue(references.size() > 100);
      for (String reference : references) {
        assertFalse(document.at(reference.substring(1)).isMissingNode(), reference);
      }
    }
  }

  private static List<Route> routes(RequestHandlerServer requestHandlerServer) {
    return requestHandlerServer.handler.http().routes();
  }

  private static JsonNode operation(JsonNode document, Route route) {
    return document
        .path("paths")
        .path(route.path().toString())
        .path(route.method().toLowerCase(Locale.ROOT));
  }

  /** One request of an operation, sent by the test below. */
  private record Try(String operation, String method, String target, String fields, String body) {}

  private static List<Try> tries() {
    String json = "Content-Type: application/json\r\n";
    String document = FakeDefinitionCatalog.document(FakeDefinitionCatalog.KEY, "Echo");
    List<Try> tries = new ArrayList<>();
    for (String path : List.of(BASE, BASE + "/versions/1.0.0")) {
      String id = path.equals(BASE) ? "startLatest" : "startVersion";
      tries.add(new Try(id, "POST", path + "/instances", json, "{\"input\":1}"));
      tries.add(new Try(id, "POST", path + "/instances", "Prefer: respond-async\r\n", ""));
      tries.add(new Try(id, "POST", path + "/instances?fault=http", json, "{\"input\":\"fault\"}"));
      tries.add(new Try(id, "POST", path + "/instances", json, "{\"input\":\"fault\"}"));
      tries.add(new Try(id, "POST", path + "/instances", json, "{"));
      tries.add(new Try(id, "POST", path.replace("echo", "no") + "/instances", "", ""));
      tries.add(new Try(id, "POST", path + "/instances", "", "{}"));
      tries.add(new Try(id, "POST", path + "/instances", "Sec-Fetch-Site: cross-site\r\n", ""));
    }
    for (String accept : List.of("", "Accept: text/html\r\n", "If-None-Match: *\r\n")) {
      tries.add(new Try("getInstance", "GET", INSTANCE, accept, ""));
      tries.add(new Try("getOutput", "GET", INSTANCE + "/output", accept, ""));
      tries.add(new Try("listInstances", "GET", "/v1/instances", accept, ""));
      tries.add(new Try("getEvents", "GET", INSTANCE + "/events", accept, ""));
      tries.add(new Try("searchInstances", "GET", "/v1/history/instances", accept, ""));
      tries.add(new Try("listDefinitions", "GET", "/v1/definitions", accept, ""));
      tries.add(new Try("getDefinition", "GET", BASE + "/versions/1.0.0", accept, ""));
      tries.add(new Try("listVersions", "GET", BASE, accept, ""));
      tries.add(new Try("listHandlers", "GET", "/v1/handlers", accept, ""));
      tries.add(new Try("reloadHandlers", "POST", "/v1/handlers/reload", accept, ""));
      tries.add(new Try("getLiveness", "GET", "/livez", accept, ""));
      tries.add(new Try("getReadiness", "GET", "/readyz", accept, ""));
      tries.add(new Try("getOpenApi", "GET", "/openapi.json", accept, ""));
      tries.add(new Try("getDefinitionSchema", "GET", "/v1/schema", accept, ""));
      tries.add(
          new Try("listDefinitionsOfNamespace", "GET", "/v1/namespaces/x/definitions", accept, ""));
    }
    tries.add(new Try("getInstance", "GET", "/v1/instances/x", "", ""));
    tries.add(new Try("listInstances", "GET", "/v1/instances?limit=x", "", ""));
    Map<String, String> controls =
        Map.of(
            "cancelInstance", "/cancellation",
            "suspendInstance", "/suspension",
            "resumeInstance", "/resumption");
    for (String operation : List.of("retry", "rerun")) {
      for (String fields : List.of("", "Prefer: wait=5\r\n", "Idempotency-Key: \"a", json)) {
        tries.add(new Try(operation + "Instance", "POST", INSTANCE + "/" + operation, fields, ""));
      }
    }
    controls.forEach(
        (operation, noun) -> {
          tries.add(new Try(operation, "POST", INSTANCE + noun, "", ""));
          tries.add(new Try(operation, "POST", INSTANCE + noun, json, "{}"));
        });
    for (String body : List.of("{}", document, document.replace("Echo", "Other"))) {
      tries.add(new Try("deployDefinition", "POST", "/v1/definitions", json, body));
      tries.add(new Try("deployDefinition", "POST", "/v1/definitions?dryRun=true", json, body));
      tries.add(new Try("putDefinition", "PUT", BASE + "/versions/1.0.0", json, body));
    }
    String one = "/v1/subscriptions/s_1";
    tries.add(new Try("subscribe", "POST", "/v1/subscriptions", json, "{\"sink\":\"http://x/\"}"));
    tries.add(new Try("listSubscriptions", "GET", "/v1/subscriptions", "", ""));
    tries.add(new Try("getSubscription", "GET", one, "", ""));
    tries.add(new Try("renewSubscription", "PATCH", one, json, "{}"));
    tries.add(new Try("unsubscribe", "DELETE", one, "", ""));
    String events = "/v1/namespaces/test/events";
    for (String type : List.of("", json, "Content-Type: application/cloudevents+json\r\n")) {
      tries.add(new Try("postEvents", "POST", events, type, "{}"));
    }
    String at = CALLBACKS.address(new CallbackAddresses.CallReference(FakeKernels.ID, 1, 2, "sky"));
    for (String fields : List.of("", json, "Pinion-Status: 404\r\n", "Pinion-Status: 202\r\n")) {
      tries.add(new Try("answerCall", "POST", at, fields, "{}"));
    }
    for (int attempt = 3; attempt <= 5; attempt++) {
      CallbackAddresses.CallReference callReference =
          new CallbackAddresses.CallReference(FakeKernels.ID, 1, attempt, "sky");
      tries.add(new Try("answerCall", "POST", CALLBACKS.address(callReference), json, "{}"));
      String event =
          "{\"specversion\":\"1.0\",\"id\":\"1\",\"source\":\"/s\",\"type\":\""
              + CallbackAddresses.EVENT_TYPE
              + "\",\"subject\":\""
              + CALLBACKS.token(callReference)
              + "\"}";
      String type = "Content-Type: application/cloudevents+json\r\n";
      tries.add(new Try("postEvents", "POST", events, type, event));
      tries.add(new Try("postEvents", "POST", events, type, event.replace("1.0", "0.3")));
    }
    tries.add(new Try("answerCall", "POST", "/v1/callbacks/forged", json, "{}"));
    String fresh = document.replace("1.0.0", "2.0.0");
    tries.add(new Try("putDefinition", "PUT", BASE + "/versions/2.0.0", json, fresh));
    tries.add(
        new Try(
            "putDefinition",
            "PUT",
            BASE + "/versions/2.0.0",
            "If-None-Match: *\r\n" + json,
            fresh));
    for (String version : List.of("1.0.0", "2.0.0", "9.0.0")) {
      String path = BASE + "/versions/" + version;
      tries.add(new Try("diffDefinition", "GET", path + "/diff", "", ""));
      tries.add(new Try("diffDefinition", "GET", path + "/diff?to=1.0.0", "", ""));
      tries.add(new Try("diffDefinition", "GET", path + "/diff?to=8.0.0", "", ""));
      tries.add(new Try("diffDefinition", "GET", path + "/diff", "Accept: text/html\r\n", ""));
      for (String body : List.of("", "{}", "[]")) {
        tries.add(new Try("disableDefinition", "POST", path + "/disablement", json, body));
        tries.add(new Try("enableDefinition", "POST", path + "/enablement", json, body));
      }
    }
    for (String accept :
        List.of("application/json", "image/svg+xml", "text/html", "application/*")) {
      String fields = "Accept: " + accept + "\r\n";
      tries.add(new Try("drawDefinition", "GET", BASE + "/versions/1.0.0/graph", fields, ""));
      tries.add(new Try("drawDefinition", "GET", BASE + "/versions/9.0.0/graph", fields, ""));
    }
    String deleted = BASE + "/versions/2.0.0";
    tries.add(new Try("deleteDefinition", "DELETE", deleted, "", ""));
    tries.add(new Try("deleteDefinition", "DELETE", deleted, json, "{}"));
    tries.add(new Try("deleteDefinition", "DELETE", deleted, json, "[]"));
    tries.addAll(scheduleTries());
    tries.addAll(brokerTries());
    return tries;
  }

  private static List<Try> scheduleTries() {
    String json = "Content-Type: application/json\r\n";
    List<Try> tries = new ArrayList<>();
    for (String definition : List.of("a", "b", "no")) {
      String schedule = "/v1/namespaces/test/definitions/" + definition + "/schedule";
      tries.add(new Try("getSchedule", "GET", schedule, "", ""));
      tries.add(new Try("pauseSchedule", "POST", schedule + "/pause", "", ""));
      tries.add(new Try("resumeSchedule", "POST", schedule + "/resumption", json, "{}"));
    }
    for (String query : List.of("", "?limit=1", "?paused=true&name=a", "?limit=x", "?paused=x")) {
      tries.add(new Try("listSchedules", "GET", "/v1/schedules" + query, "", ""));
    }
    for (Instant time : List.of(Instant.now().plusSeconds(60), Instant.EPOCH.plusSeconds(1))) {
      String body = "{\"startAt\":\"" + time + "\"}";
      tries.add(new Try("startLatest", "POST", BASE + "/instances", json, body));
    }
    return tries;
  }

  /** The id of the requested item names the outcome; see {@link #brokerReply}. */
  private static List<Try> brokerTries() {
    String json = "Content-Type: application/json\r\n";
    List<Try> tries = new ArrayList<>();
    Map<String, String> collections =
        Map.of("services", "Service", "classes", "ServiceClass", "slas", "Sla");
    collections.forEach(
        (name, schema) -> {
          for (BrokerStatus brokerStatus :
              List.of(BrokerStatus.OK, BrokerStatus.NOT_FOUND, BrokerStatus.UNCHANGED)) {
            String path = "/v1/broker/" + name + "/" + brokerStatus;
            tries.add(new Try("get" + schema, "GET", path, "If-None-Match: \"x\"\r\n", ""));
          }
          for (BrokerStatus brokerStatus :
              List.of(
                  BrokerStatus.CREATED,
                  BrokerStatus.OK,
                  BrokerStatus.NOT_ADMITTED,
                  BrokerStatus.INVALID)) {
            String path = "/v1/broker/" + name + "/" + brokerStatus;
            tries.add(new Try("put" + schema, "PUT", path, json + "If-Match: *\r\n", "{}"));
          }
          for (BrokerStatus brokerStatus :
              List.of(
                  BrokerStatus.GONE, BrokerStatus.NOT_FOUND, BrokerStatus.PRECONDITION_FAILED)) {
            String path = "/v1/broker/" + name + "/" + brokerStatus;
            tries.add(new Try("delete" + schema, "DELETE", path, "If-Match: *\r\n", ""));
          }
          String cross = "Sec-Fetch-Site: cross-site\r\n";
          tries.add(new Try("delete" + schema, "DELETE", "/v1/broker/" + name + "/OK", cross, ""));
        });
    for (String name : List.of("services", "classes", "slas", "plans", "decisions")) {
      String operation = "listBroker" + name.substring(0, 1).toUpperCase(Locale.ROOT);
      tries.add(new Try(operation + name.substring(1), "GET", "/v1/broker/" + name, "", ""));
    }
    tries.add(new Try("withdrawService", "POST", "/v1/broker/services/OK/withdrawal", "", ""));
    tries.add(new Try("withdrawService", "POST", "/v1/broker/services/FULL/withdrawal", "", ""));
    tries.add(new Try("getBrokerModel", "GET", "/v1/broker/model", "", ""));
    tries.add(new Try("putBrokerModel", "PUT", "/v1/broker/model", json, "{}"));
    tries.add(new Try("putBrokerModel", "PUT", "/v1/broker/model", json, ""));
    tries.add(new Try("getBrokerBehaviour", "GET", "/v1/broker/behaviour", "", ""));
    tries.add(new Try("getBrokerPlan", "GET", "/v1/broker/plan", "", ""));
    return tries;
  }

  private static BrokerGateway.BrokerResponse brokerReply(
      BrokerGateway.BrokerRequest brokerRequest) {
    BrokerStatus brokerStatus =
        brokerRequest.id().isEmpty() ? BrokerStatus.OK : BrokerStatus.valueOf(brokerRequest.id());
    String body =
        switch (brokerRequest.collection()) {
          case "model" -> "{\"process\":{\"type\":\"task\",\"task\":\"a\"}}";
          case "plan" -> "{\"version\":1}";
          default ->
              brokerRequest.id().isEmpty()
                  ? "{\"items\":[]}"
                  : "{\"class\":\"std\",\"rate\":1,\"serves\":[\"x\"],\"endpoint\":\"http://a\",\"idempotent\":true,"
                      + "\"r\":1,\"d\":1,\"c\":1}";
        };
    return switch (brokerStatus) {
      case OK, CREATED -> new BrokerGateway.BrokerResponse(brokerStatus, "\"x\"", "", body);
      case GONE, UNCHANGED -> new BrokerGateway.BrokerResponse(brokerStatus, "\"x\"", "", "");
      case NOT_ADMITTED ->
          new BrokerGateway.BrokerResponse(
              brokerStatus, "", "too much", "{\"offer\":{\"rate\":1.5}}");
      case INVALID ->
          new BrokerGateway.BrokerResponse(
              brokerStatus,
              "",
              "expected x, found y",
              "{\"errors\":[{\"pointer\":\"/a\",\"line\":0,\"column\":0,\"detail\":\"expected"
                  + " x\"}]}");
      default -> BrokerGateway.BrokerResponse.problem(brokerStatus, "expected x, found y");
    };
  }

  @Test
  void shouldAnswerEachOperationAsDeclared() throws Exception {
    RequestHandlerServer.Options options = new RequestHandlerServer.Options();
    options.bindings =
        new BindingSource() {
          @Override
          public BindingTable current() {
            return BindingTable.EMPTY;
          }

          @Override
          public CallbackAddresses callbacks() {
            return CALLBACKS;
          }
        };
    options.broker = brokerRequest -> CompletableFuture.completedFuture(brokerReply(brokerRequest));
    try (RequestHandlerServer requestHandlerServer = new RequestHandlerServer(options);
        RawHttpClient client = requestHandlerServer.client()) {
      requestHandlerServer.kernels.script = message -> play(requestHandlerServer.kernels, message);
      JsonNode document = JSON.readTree(client.get("/openapi.json").body());
      Set<String> untried = new HashSet<>();
      routes(requestHandlerServer).forEach(route -> untried.add(route.operation().id()));
      for (Try each : tries()) {
        HttpReply reply = client.ask(each.method, each.target, each.fields, each.body);
        check(document, route(requestHandlerServer, each.operation), reply, each.toString());
        untried.remove(each.operation);
      }
      requestHandlerServer.handler.drain();
      check(
          document, route(requestHandlerServer, "getReadiness"), client.get("/readyz"), "draining");
      assertEquals(Set.of(), untried);
    }
  }

  private static Route route(RequestHandlerServer requestHandlerServer, String operation) {
    return routes(requestHandlerServer).stream()
        .filter(route -> route.operation().id().equals(operation))
        .findFirst()
        .orElseThrow();
  }

  private static void play(FakeKernels kernels, KernelMessage message) {
    WorkflowError error = WorkflowError.of(ErrorType.RUNTIME, "as asked");
    InstanceView faulted = FakeKernels.view(FakeKernels.ID, InstanceState.FAULTED, error);
    InstanceView completed = FakeKernels.view(FakeKernels.ID, InstanceState.COMPLETED, null);
    switch (message) {
      case Command.Start start -> {
        kernels.reply(
            start.replyTo(), new Reply.Accepted(FakeKernels.ID, FakeDefinitionCatalog.KEY));
        boolean fault = start.input().toString().equals("\"fault\"");
        kernels.reply(start.replyTo(), new Reply.Ended(fault ? faulted : completed));
      }
      case Query.GetInstance get ->
          kernels.reply(get.replyTo(), new Reply.InstanceFound(completed));
      case Query.ListInstances list ->
          kernels.reply(list.replyTo(), new Reply.Page(List.of(completed, faulted)));
      case Command.Retry retry ->
          kernels.reply(
              retry.replyTo(), new Reply.StateConflict(retry.id(), completed, "a faulted one"));
      case Command.Rerun rerun -> {
        kernels.reply(
            rerun.replyTo(), new Reply.Accepted(FakeKernels.ID, FakeDefinitionCatalog.KEY));
        if (rerun.awaitEnd()) {
          kernels.reply(rerun.replyTo(), new Reply.Ended(completed));
        }
      }
      case Command.AcceptCallback late -> {
        CallbackStatus[] receptions = CallbackStatus.values();
        CallbackStatus callbackStatus = receptions[late.attempt() % receptions.length];
        kernels.reply(late.replyTo(), new Reply.CallbackResult(callbackStatus));
      }
      case Command.InstanceControl instanceControl ->
          kernels.reply(instanceControl.replyTo(), new Reply.AlreadyEnded(completed));
      case Query.GetSchedule get -> kernels.reply(get.replyTo(), schedule(get.name()));
      case Command.ControlSchedule control ->
          kernels.reply(control.replyTo(), schedule(control.name()));
      case Query.ListSchedules list ->
          kernels.reply(
              list.replyTo(),
              new Reply.SchedulePage(
                  List.of(FakeSchedules.BUSY, FakeSchedules.FRESH, FakeSchedules.HEARD)));
      default -> throw new IllegalStateException("unexpected " + message);
    }
  }

  private static Reply schedule(DefinitionName name) {
    return switch (name.name()) {
      case "a" -> new Reply.ScheduleFound(FakeSchedules.BUSY);
      case "b" -> new Reply.ScheduleFound(FakeSchedules.FRESH);
      default -> new Reply.NoSchedule();
    };
  }

  private static void check(JsonNode document, Route route, HttpReply reply, String what)
      throws Exception {
    JsonNode declared =
        operation(document, route).path("responses").path(Integer.toString(reply.status()));
    assertFalse(declared.isMissingNode(), what + " " + reply);
    if (declared.has("$ref")) {
      declared = document.at(declared.path("$ref").asText().substring(1));
    }
    if (reply.body().isEmpty()) {
      assertFalse(declared.has("content"), what + " " + reply);
      return;
    }
    JsonNode content = declared.path("content").path(reply.header("content-type"));
    assertFalse(content.isMissingNode(), what + " " + reply);
    ObjectNode schema = JSON.createObjectNode();
    schema.set("components", document.path("components"));
    schema.put("$ref", content.at("/schema/$ref").asText());
    Schema compiled =
        SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12).getSchema(schema);
    List<Error> errors = compiled.validate(JSON.readTree(reply.body()));
    assertEquals(List.of(), errors, what + " " + reply);
  }
}

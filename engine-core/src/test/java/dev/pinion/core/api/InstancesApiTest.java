package dev.pinion.core.api;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.api.RawHttpClient.HttpReply;
import dev.pinion.core.api.port.Readiness;
import dev.pinion.core.codec.PayloadCodec;
import dev.pinion.core.http.message.MediaTypes;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.message.Command;
import dev.pinion.core.message.KernelMessage;
import dev.pinion.core.message.Query;
import dev.pinion.core.message.Reply;
import dev.pinion.core.model.DiskFullDetector;
import dev.pinion.core.model.ErrorType;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.WorkflowError;
import dev.pinion.core.model.instance.CompensationStatus;
import dev.pinion.core.model.instance.InstanceState;
import dev.pinion.core.model.instance.InstanceView;
import dev.pinion.core.model.instance.ParentTask;
import dev.pinion.core.model.instance.Tags;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class InstancesApiTest {
  private static final String START = "/v1/namespaces/test/definitions/echo/instances";
  private static final String ID = FakeKernels.ID.toString();
  private static final WorkflowError ERROR =
      WorkflowError.of(ErrorType.COMMUNICATION, "no answer").at("/do/0/call");

  @Test
  void shouldAnswerAStartWithItsOutput() throws Exception {
    try (RequestHandlerServer requestHandlerServer = RequestHandlerServer.plain();
        RawHttpClient client = requestHandlerServer.client()) {
      HttpReply reply = client.post(START, "{\"input\": {\"a\": [1, \"ü\"]}}");

      assertEquals(200, reply.status());
      assertEquals(
          "{\"id\":\""
              + ID
              + "\",\"definition\":{\"namespace\":\"test\",\"name\":\"echo\",\"version\":\"1.0.0\"},"
              + "\"state\":\"COMPLETED\",\"startedAt\":\"2026-01-02T03:04:05.678Z\","
              + "\"endedAt\":\"2026-01-02T03:04:05.685Z\",\"output\":{\"a\":[1,\"ü\"]}}",
          reply.body());
      assertEquals("application/json", reply.header("content-type"));
      assertTrue(reply.header("date").endsWith("GMT"), reply.toString());
      assertFalse(reply.headers().containsKey("server"));
    }
  }

  @Test
  void shouldStartWithAnEmptyObjectWhenThereIsNoInput() throws Exception {
    try (RequestHandlerServer requestHandlerServer = RequestHandlerServer.plain();
        RawHttpClient client = requestHandlerServer.client()) {
      assertTrue(client.ask("POST", START, "", "").body().contains("\"output\":{}"));
      assertTrue(client.post(START, "{}").body().contains("\"output\":{}"));
      assertTrue(client.post(START, "{\"input\":null}").body().contains("\"output\":null"));
    }
  }

  @Test
  void shouldAnswerAtOnceWhenAsked() throws Exception {
    try (RequestHandlerServer requestHandlerServer = RequestHandlerServer.plain();
        RawHttpClient client = requestHandlerServer.client()) {
      requestHandlerServer.kernels.byHand();
      client.send(RawHttpClient.request("POST", START, "Prefer: respond-async\r\n", new byte[0]));
      Command.Start start = requestHandlerServer.kernels.next(Command.Start.class);
      assertFalse(start.awaitEnd());
      requestHandlerServer.kernels.reply(
          start.replyTo(), new Reply.Accepted(FakeKernels.ID, FakeDefinitionCatalog.KEY));

      HttpReply reply = client.read();
      assertEquals(202, reply.status());
      assertEquals("/v1/instances/" + ID, reply.header("location"));
      assertEquals("respond-async", reply.header("preference-applied"));
      assertTrue(reply.body().contains("\"state\":\"RUNNING\""), reply.body());
    }
  }

  @Test
  void shouldAnswer202WhenTheWaitIsOverAndCountTheLateEnd() throws Exception {
    try (RequestHandlerServer requestHandlerServer = RequestHandlerServer.plain();
        RawHttpClient client = requestHandlerServer.client()) {
      requestHandlerServer.kernels.byHand();
      client.send(RawHttpClient.request("POST", START, "Prefer: wait=1\r\n", new byte[0]));
      Command.Start start = requestHandlerServer.kernels.next(Command.Start.class);
      requestHandlerServer.pass(Duration.ofSeconds(2));
      // Not accepted yet: there is no id to answer with.
      requestHandlerServer.kernels.reply(
          start.replyTo(), new Reply.Accepted(FakeKernels.ID, FakeDefinitionCatalog.KEY));

      HttpReply reply = client.read();
      assertEquals(202, reply.status());
      assertEquals("wait=1", reply.header("preference-applied"));
      requestHandlerServer.kernels.reply(
          start.replyTo(), new Reply.Ended(FakeKernels.completed(start, Payload.NULL)));
      await().until(() -> requestHandlerServer.handler.lateReplies() == 1);
    }
  }

  @Test
  void shouldTellWhoWaitsThatTheReplicaEnds() throws Exception {
    try (RequestHandlerServer requestHandlerServer = RequestHandlerServer.plain();
        RawHttpClient client = requestHandlerServer.client()) {
      requestHandlerServer.kernels.byHand();
      client.send(RawHttpClient.request("POST", START, "Prefer: wait=60\r\n", new byte[0]));
      requestHandlerServer.kernels.next(Command.Start.class);

      requestHandlerServer.handler.endWaits();
      requestHandlerServer.pass(Duration.ZERO);

      HttpReply reply = client.read();
      assertEquals(503, reply.status());
      assertEquals("1", reply.header("retry-after"));
      assertTrue(reply.body().contains("replica-lost"), reply.body());
    }
  }

  @Test
  void shouldCapTheWait() throws Exception {
    try (RequestHandlerServer requestHandlerServer =
            RequestHandlerServer.with(
                Map.of("request.maxWaitMillis", 1_000, "request.defaultWaitMillis", 0));
        RawHttpClient client = requestHandlerServer.client()) {
      requestHandlerServer.kernels.byHand();
      client.send(RawHttpClient.request("POST", START, "Prefer: wait=900\r\n", new byte[0]));
      Command.Start start = requestHandlerServer.kernels.next(Command.Start.class);
      requestHandlerServer.kernels.reply(
          start.replyTo(), new Reply.Accepted(FakeKernels.ID, FakeDefinitionCatalog.KEY));
      assertTrue(start.awaitEnd());
      requestHandlerServer.pass(Duration.ofMillis(3_100));
      HttpReply reply = client.read();
      assertEquals(202, reply.status());
      assertEquals("wait=1", reply.header("preference-applied"));
    }
  }

  @Test
  void shouldEmbedTheErrorOfAFaultOrAnswer502WhenAsked() throws Exception {
    try (RequestHandlerServer requestHandlerServer = RequestHandlerServer.plain();
        RawHttpClient client = requestHandlerServer.client()) {
      InstanceView faulted = FakeKernels.view(FakeKernels.ID, InstanceState.FAULTED, ERROR);
      requestHandlerServer.kernels.script =
          message ->
              requestHandlerServer.kernels.reply(
                  ((Command.Start) message).replyTo(), new Reply.Ended(faulted));

      HttpReply embedded = client.post(START, "{}");
      assertEquals(200, embedded.status());
      assertTrue(embedded.body().contains("\"state\":\"FAULTED\""), embedded.body());
      assertTrue(embedded.body().contains("\"instance\":\"/do/0/call\""), embedded.body());

      HttpReply asHttp = client.post(START + "?fault=http", "{}");
      assertEquals(502, asHttp.status());
      assertEquals(MediaTypes.PROBLEM, asHttp.header("content-type"));
      assertTrue(asHttp.body().contains("\"code\":\"instance-fault\""), asHttp.body());
      assertEquals(400, client.post(START + "?fault=yes", "{}").status());
    }
  }

  @Test
  void shouldAnswer503WithRetryAfterWhenFull() throws Exception {
    try (RequestHandlerServer requestHandlerServer = RequestHandlerServer.plain();
        RawHttpClient client = requestHandlerServer.client()) {
      requestHandlerServer.kernels.full = true;
      HttpReply refused = client.post(START, "{}");
      assertEquals(503, refused.status());
      assertEquals("1", refused.header("retry-after"));
      assertTrue(refused.body().contains("\"code\":\"overload\""), refused.body());

      requestHandlerServer.kernels.full = false;
      requestHandlerServer.kernels.script =
          message ->
              requestHandlerServer.kernels.reply(
                  ((Command.Start) message).replyTo(),
                  new Reply.LimitReached("kernel.maxInstances"));
      HttpReply later = client.post(START, "{}");
      assertEquals(503, later.status());
      assertTrue(later.body().contains("\"limit\":\"kernel.maxInstances\""), later.body());
      assertEquals(0, requestHandlerServer.handler.requests());
      assertEquals(
          0,
          (int)
              requestHandlerServer.onLoop(
                  () -> requestHandlerServer.handler.context().pending().size()));
    }
  }

  /** Field fault 10: a replica that comes back must not say that a definition does not exist. */
  @Test
  void shouldRefuseStartsUntilEveryDefinitionIsKnown() throws Exception {
    try (RequestHandlerServer requestHandlerServer = RequestHandlerServer.plain();
        RawHttpClient client = requestHandlerServer.client()) {
      requestHandlerServer.definitions.complete = false;
      for (String definition : List.of("no", "echo", "no/versions/1.0.0", "echo/versions/1.0.0")) {
        HttpReply refused =
            client.post("/v1/namespaces/test/definitions/" + definition + "/instances", "{}");
        assertEquals(503, refused.status(), refused.body());
        assertEquals("1", refused.header("retry-after"));
      }
      assertEquals(0, requestHandlerServer.kernels.starts.get());

      requestHandlerServer.definitions.complete = true;
      assertEquals(404, client.post("/v1/namespaces/test/definitions/no/instances", "{}").status());
    }
  }

  @Test
  void shouldRefuseBodiesThatSayMoreThanIsUnderstood() throws Exception {
    try (RequestHandlerServer requestHandlerServer = RequestHandlerServer.plain();
        RawHttpClient client = requestHandlerServer.client()) {
      HttpReply unknown = client.post(START, "{\"inptu\": 1, \"x\\u0000\": 2}");
      assertEquals(400, unknown.status());
      assertTrue(unknown.body().contains("inptu"), unknown.body());
      assertEquals(400, client.post(START, "[1]").status());
      HttpReply syntax = client.post(START, "{\"input\": }");
      assertTrue(syntax.body().contains("line 1, column 11"), syntax.body());
      assertEquals(0, requestHandlerServer.kernels.starts.get());
    }
  }

  @Test
  void shouldStartAtAGivenTime() throws Exception {
    Instant later = Instant.now().plus(1, ChronoUnit.DAYS).truncatedTo(ChronoUnit.SECONDS);
    try (RequestHandlerServer requestHandlerServer = RequestHandlerServer.plain();
        RawHttpClient client = requestHandlerServer.client()) {
      requestHandlerServer.kernels.byHand();
      String time =
          DateTimeFormatter.ISO_OFFSET_DATE_TIME.format(later.atOffset(ZoneOffset.ofHours(2)));
      client.send(
          RawHttpClient.request(
              "POST",
              START,
              "Content-Type: application/json\r\n",
              ("{\"startAt\":\"" + time + "\"}").getBytes(StandardCharsets.UTF_8)));
      Command.Start start = requestHandlerServer.kernels.next(Command.Start.class);
      assertFalse(start.awaitEnd(), "nobody waits that long");
      assertEquals(later.toEpochMilli(), start.tags().startAtEpochMillis());
      requestHandlerServer.kernels.reply(
          start.replyTo(), new Reply.Accepted(FakeKernels.ID, FakeDefinitionCatalog.KEY));

      HttpReply reply = client.read();
      assertEquals(202, reply.status());
      assertTrue(reply.body().contains("\"state\":\"PENDING\""), reply.body());
    }
  }

  @Test
  void shouldStartAtOnceWhenTheGivenTimeHasJustPassed() throws Exception {
    String past = Instant.now().minusSeconds(5).toString();
    try (RequestHandlerServer requestHandlerServer = RequestHandlerServer.plain();
        RawHttpClient client = requestHandlerServer.client()) {
      assertEquals(200, client.post(START, "{\"startAt\":\"" + past + "\"}").status());
    }
  }

  @Test
  void shouldRefuseTimesThatAreNoneOrFarAway() throws Exception {
    Instant now = Instant.now();
    try (RequestHandlerServer requestHandlerServer =
            RequestHandlerServer.with(
                Map.of("schedule.maxPastSeconds", 60, "instance.maxTimerDays", 2));
        RawHttpClient client = requestHandlerServer.client()) {
      for (String bad :
          List.of(
              "1",
              "null",
              "\"\"",
              "\"tomorrow\"",
              "\"2026-01-31\"",
              "\"2026-01-31T08:00:00\"",
              "\"" + now.minusSeconds(70) + "\"",
              "\"" + now.plus(49, ChronoUnit.HOURS) + "\"")) {
        HttpReply reply = client.post(START, "{\"startAt\":" + bad + "}");
        assertEquals(400, reply.status(), bad);
        assertTrue(reply.body().contains("\"code\":\"bad-body\""), reply.body());
        assertTrue(reply.body().contains("startAt"), reply.body());
      }
      HttpReply label =
          client.post(START, "{\"labels\":{\"pinion.startAt\":\"2026-01-31T08:00:00Z\"}}");
      assertEquals(400, label.status());
      assertTrue(label.body().contains("use the member \\\"startAt\\\""), label.body());
      assertEquals(0, requestHandlerServer.kernels.starts.get());
      String edge = "{\"startAt\":\"" + now.plus(47, ChronoUnit.HOURS) + "\"}";
      assertEquals(202, client.post(START, edge).status());
    }
  }

  @Test
  void shouldTakeTagsWithinTheirBounds() throws Exception {
    String longest = "x".repeat(255);
    try (RequestHandlerServer requestHandlerServer = RequestHandlerServer.plain();
        RawHttpClient client = requestHandlerServer.client()) {
      String good =
          "{\"businessKey\":\"%s\",\"labels\":{\"%s\":\"%s\"},\"orderingKey\":\"%s\"}"
              .formatted(longest, longest, longest, longest);
      assertEquals(200, client.post(START, good).status());
      for (String bad :
          List.of(
              "{\"businessKey\":1}",
              "{\"businessKey\":\"\"}",
              "{\"businessKey\":\"a\\u0000\"}",
              "{\"businessKey\":\"" + longest + "x\"}",
              "{\"orderingKey\":1}",
              "{\"orderingKey\":\"\"}",
              "{\"orderingKey\":\"" + longest + "x\"}",
              "{\"\\u006frderingKey\":\"k\"}",
              "{\"labels\":{\"pinion.orderingKey\":\"k\"}}",
              "{\"labels\":[]}",
              "{\"labels\":{\"a\":1}}",
              "{\"labels\":{\"\":\"a\"}}",
              "{\"labels\":{\"a\":\"" + longest + "x\"}}",
              "{\"labels\":{\"" + longest + "x\":\"a\"}}")) {
        HttpReply reply = client.post(START, bad);
        assertEquals(400, reply.status(), bad);
        assertTrue(reply.body().contains("\"code\":\"bad-body\""), reply.body());
      }
      StringBuilder labels = new StringBuilder("{\"labels\":{");
      for (int i = 0; i < 16; i++) {
        labels.append(i == 0 ? "" : ",").append("\"l").append(i).append("\":\"v\"");
      }
      assertEquals(200, client.post(START, labels + "}}").status());
      assertEquals(400, client.post(START, labels + ",\"m\":\"v\"}}").status());
    }
  }

  @Test
  void shouldNotFindUnknownDefinitionsAndInstances() throws Exception {
    try (RequestHandlerServer requestHandlerServer = RequestHandlerServer.plain();
        RawHttpClient client = requestHandlerServer.client()) {
      assertEquals(404, client.post("/v1/namespaces/test/definitions/no/instances", "").status());
      assertEquals(
          404,
          client
              .post("/v1/namespaces/test/definitions/echo/versions/9.9.9/instances", "")
              .status());
      assertEquals(404, client.get("/v1/instances/nonsense").status());
      requestHandlerServer.kernels.script =
          message ->
              requestHandlerServer.kernels.reply(
                  ((Query.GetInstance) message).replyTo(), new Reply.NotFound());
      assertEquals(404, client.get("/v1/instances/" + ID).status());
    }
  }

  @Test
  void shouldShowAnInstanceWithAnEntityTag() throws Exception {
    try (RequestHandlerServer requestHandlerServer = RequestHandlerServer.plain();
        RawHttpClient client = requestHandlerServer.client()) {
      requestHandlerServer.kernels.script = found(requestHandlerServer, InstanceState.COMPLETED);
      HttpReply reply = client.get("/v1/instances/" + ID);
      assertEquals(200, reply.status());
      assertEquals("\"1767323045685-completed\"", reply.header("etag"));
      assertTrue(reply.body().contains("\"output\":\"done\""), reply.body());
      HttpReply same =
          client.ask(
              "GET",
              "/v1/instances/" + ID,
              "If-None-Match: \"4\", W/\"1767323045685-completed\"\r\n",
              "");
      assertEquals(304, same.status());
      assertEquals("", same.body());
      HttpReply head = client.ask("HEAD", "/v1/instances/" + ID, "", "");
      assertEquals(200, head.status());
      assertEquals(reply.header("content-length"), head.header("content-length"));
      assertEquals(200, client.get("/livez").status());
    }
  }

  private static Consumer<KernelMessage> found(
      RequestHandlerServer requestHandlerServer, InstanceState state) {
    WorkflowError error = state == InstanceState.FAULTED ? ERROR : null;
    return message ->
        requestHandlerServer.kernels.reply(
            ((Query.GetInstance) message).replyTo(),
            new Reply.InstanceFound(FakeKernels.view(FakeKernels.ID, state, error)));
  }

  @Test
  void shouldWaitForTheEndThenShowTheInstanceAsItIs() throws Exception {
    try (RequestHandlerServer requestHandlerServer = RequestHandlerServer.plain();
        RawHttpClient client = requestHandlerServer.client()) {
      requestHandlerServer.kernels.byHand();
      client.send(
          RawHttpClient.request("GET", "/v1/instances/" + ID, "Prefer: wait=2\r\n", new byte[0]));
      Query.GetInstance first = requestHandlerServer.kernels.next(Query.GetInstance.class);
      assertTrue(first.awaitEnd());
      requestHandlerServer.onLoop(() -> 0);
      await()
          .until(
              () ->
                  requestHandlerServer.onLoop(
                          () -> requestHandlerServer.handler.context().pending().earliestNanos())
                      < Long.MAX_VALUE);
      requestHandlerServer.pass(Duration.ofSeconds(3));
      Query.GetInstance second = requestHandlerServer.kernels.next(Query.GetInstance.class);
      assertFalse(second.awaitEnd());
      requestHandlerServer.kernels.reply(
          second.replyTo(),
          new Reply.InstanceFound(FakeKernels.view(FakeKernels.ID, InstanceState.WAITING, null)));
      HttpReply reply = client.read();
      assertEquals(200, reply.status());
      assertEquals("wait=2", reply.header("preference-applied"));
      assertTrue(reply.body().contains("\"state\":\"WAITING\""), reply.body());
    }
  }

  /** Field fault 18: a long poll is answered at every change, not at the end only. */
  @Test
  void shouldWaitForAChangeOfWhatTheClientKnows() throws Exception {
    String known = "Prefer: wait=2\r\nIf-None-Match: \"5-waiting\"\r\n";
    try (RequestHandlerServer requestHandlerServer = RequestHandlerServer.plain();
        RawHttpClient client = requestHandlerServer.client()) {
      requestHandlerServer.kernels.byHand();
      client.send(RawHttpClient.request("GET", "/v1/instances/" + ID, known, new byte[0]));
      Query.GetInstance look = requestHandlerServer.kernels.next(Query.GetInstance.class);
      assertFalse(look.awaitEnd());
      requestHandlerServer.kernels.reply(look.replyTo(), found(InstanceState.WAITING));
      Query.WatchInstance watch = requestHandlerServer.kernels.next(Query.WatchInstance.class);
      assertEquals(5, watch.sequence());
      assertEquals(InstanceState.WAITING, watch.state());
      requestHandlerServer.kernels.reply(watch.replyTo(), found(InstanceState.SUSPENDED));
      HttpReply reply = client.read();
      assertEquals(200, reply.status());
      assertEquals("\"5-suspended\"", reply.header("etag"));
      assertEquals("wait=2", reply.header("preference-applied"));
    }
  }

  @Test
  void shouldAnswerALongPollAtOnceWhereNothingIsToBeWaitedFor() throws Exception {
    try (RequestHandlerServer requestHandlerServer = RequestHandlerServer.plain();
        RawHttpClient client = requestHandlerServer.client()) {
      String path = "/v1/instances/" + ID;
      String wait = "Prefer: wait=60\r\nIf-None-Match: ";
      requestHandlerServer.kernels.script = found(requestHandlerServer, InstanceState.WAITING);
      assertEquals(200, client.ask("GET", path, wait + "\"4-waiting\"\r\n", "").status());
      requestHandlerServer.kernels.script = found(requestHandlerServer, InstanceState.COMPLETED);
      assertEquals(
          304, client.ask("GET", path, wait + "\"1767323045685-completed\"\r\n", "").status());
      assertEquals(304, client.ask("GET", path, wait + "*\r\n", "").status());
    }
  }

  @Test
  void shouldEndALongPollWithNotModifiedWhenNothingChanges() throws Exception {
    String known = "Prefer: wait=2\r\nIf-None-Match: \"5-waiting\"\r\n";
    try (RequestHandlerServer requestHandlerServer = RequestHandlerServer.plain();
        RawHttpClient client = requestHandlerServer.client()) {
      requestHandlerServer.kernels.byHand();
      client.send(RawHttpClient.request("GET", "/v1/instances/" + ID, known, new byte[0]));
      Query.GetInstance look = requestHandlerServer.kernels.next(Query.GetInstance.class);
      requestHandlerServer.kernels.reply(look.replyTo(), found(InstanceState.WAITING));
      requestHandlerServer.kernels.next(Query.WatchInstance.class);
      await()
          .until(
              () ->
                  requestHandlerServer.onLoop(
                          () -> requestHandlerServer.handler.context().pending().earliestNanos())
                      < Long.MAX_VALUE);
      requestHandlerServer.pass(Duration.ofSeconds(3));
      Query.GetInstance last = requestHandlerServer.kernels.next(Query.GetInstance.class);
      requestHandlerServer.kernels.reply(last.replyTo(), found(InstanceState.WAITING));
      assertEquals(304, client.read().status());
    }
  }

  private static Reply.InstanceFound found(InstanceState state) {
    return new Reply.InstanceFound(FakeKernels.view(FakeKernels.ID, state, null));
  }

  @Test
  void shouldShowTheOutputAlone() throws Exception {
    String path = "/v1/instances/" + ID + "/output";
    try (RequestHandlerServer requestHandlerServer = RequestHandlerServer.plain();
        RawHttpClient client = requestHandlerServer.client()) {
      requestHandlerServer.kernels.script = found(requestHandlerServer, InstanceState.COMPLETED);
      assertEquals("\"done\"", client.get(path).body());
      requestHandlerServer.kernels.script = found(requestHandlerServer, InstanceState.RUNNING);
      HttpReply running = client.get(path);
      assertEquals(202, running.status());
      assertEquals("1", running.header("retry-after"));
      requestHandlerServer.kernels.script = found(requestHandlerServer, InstanceState.FAULTED);
      HttpReply faulted = client.get(path);
      assertEquals(409, faulted.status());
      assertTrue(faulted.body().contains("\"detail\":\"no answer\""), faulted.body());
      requestHandlerServer.kernels.script = found(requestHandlerServer, InstanceState.CANCELLED);
      assertEquals(409, client.get(path).status());
    }
  }

  @Test
  void shouldCancelOnceAndAgain() throws Exception {
    String path = "/v1/instances/" + ID + "/cancellation";
    InstanceView cancelled = FakeKernels.view(FakeKernels.ID, InstanceState.CANCELLED, null);
    InstanceView completed = FakeKernels.view(FakeKernels.ID, InstanceState.COMPLETED, null);
    List<Reply> replies =
        new ArrayList<>(
            List.of(
                new Reply.Controlled(cancelled),
                new Reply.AlreadyEnded(cancelled),
                new Reply.AlreadyEnded(completed),
                new Reply.NotFound()));
    try (RequestHandlerServer requestHandlerServer = RequestHandlerServer.plain();
        RawHttpClient client = requestHandlerServer.client()) {
      requestHandlerServer.kernels.script =
          message ->
              requestHandlerServer.kernels.reply(
                  ((Command.Cancel) message).replyTo(), replies.removeFirst());
      assertEquals(202, client.ask("POST", path, "", "").status());
      assertEquals(202, client.ask("POST", path, "", "").status());
      HttpReply ended = client.ask("POST", path, "", "");
      assertEquals(409, ended.status());
      assertTrue(ended.body().contains("\"state\":\"COMPLETED\""), ended.body());
      assertEquals(404, client.ask("POST", path, "", "").status());
    }
  }

  @Test
  void shouldCompensateBeforeACancellationUnlessToldOtherwise() throws Exception {
    String path = "/v1/instances/" + ID + "/cancellation";
    CompensationStatus.Failure failure = new CompensationStatus.Failure("/do/0/a", ERROR);
    InstanceView compensating =
        FakeKernels.view(FakeKernels.ID, InstanceState.RUNNING, null)
            .compensating(new CompensationStatus(true, 1, 2, 1, List.of(failure)));
    List<Boolean> asked = new CopyOnWriteArrayList<>();
    try (RequestHandlerServer requestHandlerServer = RequestHandlerServer.plain();
        RawHttpClient client = requestHandlerServer.client()) {
      requestHandlerServer.kernels.script =
          message -> {
            Command.Cancel cancel = (Command.Cancel) message;
            asked.add(cancel.compensates());
            requestHandlerServer.kernels.reply(
                cancel.replyTo(), new Reply.Controlled(compensating));
          };
      HttpReply reply = client.ask("POST", path, "", "");
      assertEquals(202, reply.status());
      String told =
          "\"compensation\":{\"running\":true,\"compensated\":1,\"pending\":2,\"failed\":1,"
              + "\"failures\":[{\"task\":\"/do/0/a\",\"error\":{";
      assertTrue(reply.body().contains(told), reply.body());
      assertEquals(202, client.ask("POST", path + "?compensate=true", "", "").status());
      assertEquals(202, client.ask("POST", path + "?compensate=false", "", "").status());
      assertEquals(List.of(true, true, false), asked);
      HttpReply unclear = client.ask("POST", path + "?compensate=no", "", "");
      assertEquals(400, unclear.status());
      assertTrue(unclear.body().contains("compensate to be one of true, false"), unclear.body());
    }
  }

  @Test
  void shouldSuspendAndResume() throws Exception {
    InstanceView suspended = FakeKernels.view(FakeKernels.ID, InstanceState.SUSPENDED, null);
    InstanceView running = FakeKernels.view(FakeKernels.ID, InstanceState.RUNNING, null);
    InstanceView cancelled = FakeKernels.view(FakeKernels.ID, InstanceState.CANCELLED, null);
    try (RequestHandlerServer requestHandlerServer = RequestHandlerServer.plain();
        RawHttpClient client = requestHandlerServer.client()) {
      requestHandlerServer.kernels.script =
          message ->
              requestHandlerServer.kernels.reply(
                  ((Command.InstanceControl) message).replyTo(),
                  new Reply.Controlled(message instanceof Command.Suspend ? suspended : running));
      HttpReply asked = client.ask("POST", "/v1/instances/" + ID + "/suspension", "", "");
      assertEquals(202, asked.status());
      assertTrue(asked.body().contains("\"state\":\"SUSPENDED\""), asked.body());
      HttpReply again = client.ask("POST", "/v1/instances/" + ID + "/resumption", "", "");
      assertEquals(202, again.status());
      assertTrue(again.body().contains("\"state\":\"RUNNING\""), again.body());
      requestHandlerServer.kernels.script =
          message ->
              requestHandlerServer.kernels.reply(
                  ((Command.InstanceControl) message).replyTo(), new Reply.AlreadyEnded(cancelled));
      for (String noun : List.of("suspension", "resumption")) {
        HttpReply ended = client.ask("POST", "/v1/instances/" + ID + "/" + noun, "", "");
        assertEquals(409, ended.status());
        assertTrue(ended.body().contains("\"state\":\"CANCELLED\""), ended.body());
      }
    }
  }

  @Test
  void shouldRetryAndSayWhyNot() throws Exception {
    String path = "/v1/instances/" + ID + "/retry";
    InstanceView running = FakeKernels.view(FakeKernels.ID, InstanceState.RUNNING, null);
    List<Reply> replies =
        new ArrayList<>(
            List.of(
                new Reply.Accepted(FakeKernels.ID, FakeDefinitionCatalog.KEY),
                new Reply.StateConflict(FakeKernels.ID, running, "one that has faulted"),
                new Reply.StateConflict(FakeKernels.ID, null, "one that has faulted"),
                new Reply.LimitReached("kernel.maxInstances"),
                new Reply.JournalDiskFull()));
    try (RequestHandlerServer requestHandlerServer = RequestHandlerServer.plain();
        RawHttpClient client = requestHandlerServer.client()) {
      requestHandlerServer.kernels.script =
          message ->
              requestHandlerServer.kernels.reply(
                  ((Command.Retry) message).replyTo(), replies.removeFirst());
      HttpReply taken = client.ask("POST", path, "", "");
      assertEquals(202, taken.status());
      assertEquals("/v1/instances/" + ID, taken.header("location"));
      HttpReply not = client.ask("POST", path, "", "");
      assertEquals(409, not.status());
      assertTrue(not.body().contains("\"state\":\"RUNNING\""), not.body());
      assertTrue(not.body().contains("expected one that has faulted"), not.body());
      assertEquals(404, client.ask("POST", path, "", "").status());
      assertEquals(503, client.ask("POST", path, "", "").status());
      HttpReply full = client.ask("POST", path, "", ""); // Field fault 21: as everywhere
      assertEquals(507, full.status());
      assertEquals("5", full.header("retry-after"));
      assertTrue(full.body().contains(DiskFullDetector.DETAIL), full.body());
    }
  }

  @Test
  void shouldRunAgainAndWaitForTheEnd() throws Exception {
    String path = "/v1/instances/" + ID + "/rerun";
    InstanceView ended = FakeKernels.view(FakeKernels.ID, InstanceState.COMPLETED, null);
    try (RequestHandlerServer requestHandlerServer = RequestHandlerServer.plain();
        RawHttpClient client = requestHandlerServer.client()) {
      List<Command.Rerun> asked = new CopyOnWriteArrayList<>();
      requestHandlerServer.kernels.script =
          message -> {
            Command.Rerun rerun = (Command.Rerun) message;
            asked.add(rerun);
            requestHandlerServer.kernels.reply(
                rerun.replyTo(), new Reply.Accepted(rerun.id(), FakeDefinitionCatalog.KEY));
            if (rerun.awaitEnd()) {
              requestHandlerServer.kernels.reply(rerun.replyTo(), new Reply.Ended(ended));
            }
          };
      assertEquals(202, client.ask("POST", path, "", "").status());
      HttpReply waited =
          client.ask("POST", path, "Prefer: wait=5\r\nIdempotency-Key: \"k\"\r\n", "");
      assertEquals(200, waited.status());
      assertTrue(waited.body().contains("\"output\":\"done\""), waited.body());
      assertEquals(null, asked.getFirst().key());
      assertTrue(asked.getLast().key() != null && asked.getLast().join());
      assertEquals(400, client.ask("POST", path, "Idempotency-Key: \"\r\n", "").status());
    }
  }

  @Test
  void shouldTellTags() throws Exception {
    Tags tags = new Tags("order \"7\"", Map.of("a", "b"));
    InstanceView tagged =
        new InstanceView(
            FakeKernels.ID,
            FakeDefinitionCatalog.KEY,
            InstanceState.RUNNING,
            FakeKernels.STARTED,
            0,
            1,
            null,
            null,
            tags);
    try (RequestHandlerServer requestHandlerServer = RequestHandlerServer.plain();
        RawHttpClient client = requestHandlerServer.client()) {
      requestHandlerServer.kernels.script =
          message ->
              requestHandlerServer.kernels.reply(
                  ((Query.GetInstance) message).replyTo(), new Reply.InstanceFound(tagged));
      String body = client.get("/v1/instances/" + ID).body();
      assertTrue(
          body.contains("\"businessKey\":\"order \\\"7\\\"\",\"labels\":{\"a\":\"b\"}"), body);
    }
  }

  @Test
  void shouldTellWhoStartedAnInstanceAndListByIt() throws Exception {
    InstanceView child =
        FakeKernels.view(FakeKernels.ID, InstanceState.RUNNING, null)
            .startedBy(new ParentTask(FakeKernels.ID, "/do/0/a\"b"));
    List<KernelMessage> asked = new CopyOnWriteArrayList<>();
    try (RequestHandlerServer requestHandlerServer = RequestHandlerServer.plain();
        RawHttpClient client = requestHandlerServer.client()) {
      requestHandlerServer.kernels.script =
          message -> {
            asked.add(message);
            requestHandlerServer.kernels.reply(
                ((Query.ListInstances) message).replyTo(), new Reply.Page(List.of(child, child)));
          };
      HttpReply page = client.get("/v1/instances?parent=" + ID + "&limit=1");
      assertEquals(200, page.status(), page.body());
      String tie = "\"parent\":{\"id\":\"" + ID + "\",\"task\":\"/do/0/a\\\"b\"}";
      assertTrue(page.body().contains(tie), page.body());
      assertEquals(FakeKernels.ID, ((Query.ListInstances) asked.getFirst()).parent());
      String next = page.header("link");
      assertTrue(next.contains("&parent=" + ID + "&cursor="), next);
      String query = next.substring(next.indexOf('?'), next.indexOf('>'));
      assertEquals(200, client.get("/v1/instances" + query).status());
      assertEquals(
          404,
          client.get("/v1/instances" + query.replace("&parent=" + ID, "")).status(),
          "the cursor of another list");
      HttpReply refused = client.get("/v1/instances?parent=i_1");
      assertEquals(400, refused.status());
      assertTrue(
          refused.body().contains("expected parent to be the id of an instance"), refused.body());
    }
  }

  @Test
  void shouldMergeTheKernelsPagesAndGoOnWithACursor() throws Exception {
    List<InstanceView> views = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      views.add(
          FakeKernels.view(
              InstanceId.next(FakeKernels.STARTED + i, i % 2, null), InstanceState.RUNNING, null));
    }
    RequestHandlerServer.Options options = new RequestHandlerServer.Options();
    options.kernels = 2;
    try (RequestHandlerServer requestHandlerServer = new RequestHandlerServer(options);
        RawHttpClient client = requestHandlerServer.client()) {
      requestHandlerServer.kernels.script =
          message -> {
            Query.ListInstances list = (Query.ListInstances) message;
            for (int kernel = 0; kernel < 2; kernel++) {
              int owner = kernel;
              InstanceId before = list.before();
              requestHandlerServer.kernels.reply(
                  list.replyTo(),
                  new Reply.Page(
                      views.reversed().stream()
                          .filter(v -> v.id().partition() == owner)
                          .filter(v -> before == null || v.id().compareTo(before) < 0)
                          .limit(list.limit())
                          .toList()));
            }
          };
      String query = "?state=RUNNING&definition=e%20cho&limit=2";
      HttpReply first = client.get("/v1/instances" + query);
      assertEquals(200, first.status(), first.body());
      assertTrue(first.body().startsWith("{\"items\":[{\"id\":\"" + views.get(4).id()));
      String link = first.header("link");
      assertTrue(link.endsWith(">; rel=\"next\""), link);
      String next = link.substring(1, link.indexOf('>'));
      HttpReply second = client.get(next);
      assertTrue(second.body().startsWith("{\"items\":[{\"id\":\"" + views.get(2).id()));
      String last = second.header("link");
      HttpReply third = client.get(last.substring(1, last.indexOf('>')));
      assertTrue(third.body().startsWith("{\"items\":[{\"id\":\"" + views.get(0).id()));
      assertFalse(third.headers().containsKey("link"));

      String cursor = next.substring(next.indexOf("cursor=") + 7);
      assertEquals(404, client.get("/v1/instances?limit=2&cursor=" + cursor).status());
      assertEquals(404, client.get(next.substring(0, next.length() - 1)).status());
      assertEquals(400, client.get("/v1/instances?limit=0").status());
      assertEquals(400, client.get("/v1/instances?limit=501").status());
      assertEquals(400, client.get("/v1/instances?state=DONE").status());
      HttpReply misspelt = client.get("/v1/instances?sate=RUNNING");
      assertTrue(misspelt.body().contains("did you mean \\\"state\\\""), misspelt.body());
    }
  }

  @Test
  void shouldForgetTheWaitOfAClientThatHasGone() throws Exception {
    try (RequestHandlerServer requestHandlerServer = RequestHandlerServer.plain()) {
      requestHandlerServer.kernels.byHand();
      Command.Start start;
      try (RawHttpClient client = requestHandlerServer.client()) {
        client.send(RawHttpClient.request("POST", START, "", new byte[0]));
        start = requestHandlerServer.kernels.next(Command.Start.class);
        assertEquals(1, requestHandlerServer.handler.requests());
      }
      await()
          .until(
              () ->
                  requestHandlerServer.onLoop(
                          () -> requestHandlerServer.handler.context().pending().size())
                      == 0);
      assertEquals(0, requestHandlerServer.handler.requests());
      requestHandlerServer.kernels.reply(
          start.replyTo(), new Reply.Accepted(FakeKernels.ID, FakeDefinitionCatalog.KEY));
      await().until(() -> requestHandlerServer.handler.lateReplies() == 1);
    }
  }

  // Field fault 21
  @Test
  void shouldAnswer507WhereADeploymentFindsTheDiskFull() throws Exception {
    try (RequestHandlerServer requestHandlerServer = RequestHandlerServer.plain();
        RawHttpClient client = requestHandlerServer.client()) {
      requestHandlerServer.definitions.diskFull = true;

      HttpReply reply = client.post("/v1/definitions", "{}");

      assertEquals(507, reply.status());
      assertTrue(reply.body().contains("\"code\":\"disk-full\""), reply.body());
      assertTrue(reply.body().contains(DiskFullDetector.DETAIL), reply.body());
      assertEquals("5", reply.header("retry-after"));
      requestHandlerServer.definitions.diskFull = false;
    }
  }

  // Field fault 21
  @Test
  void shouldBeReadyAsLongAsNoStartWouldBeRefused() throws Exception {
    try (RequestHandlerServer requestHandlerServer = RequestHandlerServer.plain();
        RawHttpClient client = requestHandlerServer.client()) {
      requestHandlerServer.checks =
          List.of(
              new Readiness.Check("disk", true, true, "there is room"),
              new Readiness.Check("broker", false, false, "it starts, and answers soon"));
      HttpReply ready = client.get("/readyz");
      assertEquals(200, ready.status());
      assertTrue(
          ready
              .body()
              .contains("{\"name\":\"broker\",\"ready\":false,\"required\":false,\"detail\":\"it"),
          ready.body());

      requestHandlerServer.checks =
          List.of(new Readiness.Check("disk", false, true, "there is no room"));
      assertEquals(503, client.get("/readyz").status());
      assertEquals(200, client.get("/livez").status());
    }
  }

  @Test
  void shouldRefuseStartsWhileDrainingAndFinishWhatIsUnderWay() throws Exception {
    try (RequestHandlerServer requestHandlerServer = RequestHandlerServer.plain();
        RawHttpClient waiting = requestHandlerServer.client();
        RawHttpClient client = requestHandlerServer.client();
        RawHttpClient probe = requestHandlerServer.client()) {
      requestHandlerServer.kernels.byHand();
      waiting.send(RawHttpClient.request("POST", START, "", new byte[0]));
      Command.Start start = requestHandlerServer.kernels.next(Command.Start.class);
      assertEquals(200, probe.get("/readyz").status());

      requestHandlerServer.handler.drain();
      HttpReply refused = client.post(START, "{}");
      assertEquals(503, refused.status());
      assertEquals("close", refused.header("connection"));
      assertEquals("1", refused.header("retry-after"));
      assertTrue(client.isEnded());
      assertEquals(503, probe.get("/readyz").status());

      requestHandlerServer.kernels.reply(
          start.replyTo(), new Reply.Accepted(FakeKernels.ID, FakeDefinitionCatalog.KEY));
      requestHandlerServer.kernels.reply(
          start.replyTo(), new Reply.Ended(FakeKernels.completed(start, Payload.NULL)));
      assertEquals(200, waiting.read().status());
    }
  }

  @Test
  void shouldKeepLoneSurrogatesAsEscapes() throws Exception {
    try (RequestHandlerServer requestHandlerServer = RequestHandlerServer.plain();
        RawHttpClient client = requestHandlerServer.client()) {
      HttpReply reply = client.post(START, "{\"input\": [\"\\ud800\", \"\\ud83d\\ude00\"]}");
      assertEquals(200, reply.status());
      Payload body =
          new PayloadCodec(EngineLimits.defaults().json())
              .read(new ByteArrayInputStream(reply.body().getBytes(StandardCharsets.UTF_8)));
      assertEquals("\ud800", body.json().at("/output/0").textValue());
      assertEquals("😀", body.json().at("/output/1").textValue());
    }
  }
}

package dev.pinion.core.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.pinion.core.api.RawHttpClient.HttpReply;
import dev.pinion.core.message.Command;
import dev.pinion.core.message.Query;
import dev.pinion.core.message.Reply;
import dev.pinion.core.model.DefinitionName;
import dev.pinion.core.model.instance.InstanceState;
import dev.pinion.core.model.instance.ScheduleView;
import java.util.List;
import org.junit.jupiter.api.Test;

class SchedulesApiTest {
  private static final String SCHEDULE = "/v1/namespaces/test/definitions/a/schedule";
  private static final ObjectMapper JSON = new ObjectMapper();

  private static void answer(RequestHandlerServer server, Reply.ScheduleReply reply) {
    server.kernels.script =
        message -> {
          switch (message) {
            case Query.GetSchedule get -> server.kernels.reply(get.replyTo(), reply);
            case Command.ControlSchedule control -> server.kernels.reply(control.replyTo(), reply);
            default -> throw new IllegalStateException("unexpected " + message);
          }
        };
  }

  @Test
  void shouldShowASchedule() throws Exception {
    try (RequestHandlerServer server = RequestHandlerServer.plain();
        RawHttpClient client = server.client()) {
      answer(server, new Reply.ScheduleFound(FakeSchedules.BUSY));
      HttpReply reply = client.get(SCHEDULE);

      assertEquals(200, reply.status());
      assertEquals("application/json", reply.header("content-type"));
      String id = FakeKernels.ID.toString();
      assertEquals(
          "{\"namespace\":\"test\",\"name\":\"a\",\"version\":\"1.0.0\",\"cron\":\"0 9 * * *\","
              + "\"timeZone\":\"Europe/Berlin\",\"overlap\":\"skip\",\"paused\":false,"
              + "\"next\":\"2026-01-02T03:04:06.678Z\",\"last\":{\"id\":\""
              + id
              + "\",\"due\":\"2026-01-02T03:04:05.678Z\","
              + "\"startedAt\":\"2026-01-02T03:04:05.683Z\",\"state\":\"RUNNING\"},"
              + "\"runs\":3,\"missed\":2,\"skipped\":1,\"problem\":\"expected room, found none\","
              + "\"instance\":\""
              + id
              + "\"}",
          reply.body());
    }
  }

  @Test
  void shouldShowEventsAsTheDefinitionHasThem() throws Exception {
    try (RequestHandlerServer server = RequestHandlerServer.plain();
        RawHttpClient client = server.client()) {
      answer(server, new Reply.ScheduleFound(FakeSchedules.HEARD));
      JsonNode schedule = JSON.readTree(client.get(SCHEDULE).body());

      assertEquals("{\"any\":[]}", schedule.path("on").toString());
      assertEquals("queue", schedule.path("overlap").textValue());
      assertFalse(schedule.has("next"));
    }
  }

  @Test
  void shouldLeaveOutWhatIsNotKnown() throws Exception {
    try (RequestHandlerServer server = RequestHandlerServer.plain();
        RawHttpClient client = server.client()) {
      ScheduleView.ScheduledRun lost = new ScheduleView.ScheduledRun(null, 1_000, 2_000, null);
      answer(server, new Reply.ScheduleFound(FakeSchedules.of("b", true, lost)));
      JsonNode schedule = JSON.readTree(client.get(SCHEDULE).body());

      assertTrue(schedule.path("paused").booleanValue());
      assertFalse(schedule.has("next"));
      assertFalse(schedule.has("problem"));
      assertFalse(schedule.has("timeZone"));
      assertEquals("PT10S", schedule.path("every").textValue());
      assertEquals(
          "{\"due\":\"1970-01-01T00:00:01.000Z\",\"startedAt\":\"1970-01-01T00:00:02.000Z\"}",
          schedule.path("last").toString());
    }
  }

  @Test
  void shouldPauseAndResume() throws Exception {
    try (RequestHandlerServer server = RequestHandlerServer.plain();
        RawHttpClient client = server.client()) {
      server.kernels.byHand();
      for (boolean pause : new boolean[] {true, false}) {
        String noun = pause ? "/pause" : "/resumption";
        client.send(RawHttpClient.request("POST", SCHEDULE + noun, "", new byte[0]));
        Command.ControlSchedule control = server.kernels.next(Command.ControlSchedule.class);
        assertEquals(new DefinitionName("test", "a"), control.name());
        assertEquals(pause, control.pause());
        server.kernels.reply(
            control.replyTo(), new Reply.ScheduleFound(FakeSchedules.of("a", pause, null)));
        HttpReply reply = client.read();
        assertEquals(200, reply.status());
        assertTrue(reply.body().contains("\"paused\":" + pause), reply.body());
      }
    }
  }

  @Test
  void shouldTellThatThereIsNone() throws Exception {
    try (RequestHandlerServer server = RequestHandlerServer.plain();
        RawHttpClient client = server.client()) {
      answer(server, new Reply.NoSchedule());
      for (HttpReply reply :
          List.of(client.get(SCHEDULE), client.post(SCHEDULE + "/pause", "{}"))) {
        assertEquals(404, reply.status());
        assertTrue(reply.body().contains("\"code\":\"not-found\""), reply.body());
        assertTrue(reply.body().contains("test/a"), reply.body());
      }
    }
  }

  @Test
  void shouldHaveClientsTryAgainWhileThePartitionMoves() throws Exception {
    try (RequestHandlerServer server = RequestHandlerServer.plain();
        RawHttpClient client = server.client()) {
      answer(server, new Reply.NotOwner());
      HttpReply reply = client.get(SCHEDULE);

      assertEquals(503, reply.status());
      assertEquals("1", reply.header("retry-after"));
    }
  }

  @Test
  void shouldTakeNoBody() throws Exception {
    try (RequestHandlerServer server = RequestHandlerServer.plain();
        RawHttpClient client = server.client()) {
      answer(server, new Reply.NoSchedule());
      assertEquals(400, client.post(SCHEDULE + "/pause", "{\"until\":1}").status());
      assertEquals(405, client.get(SCHEDULE + "/pause").status());
    }
  }

  @Test
  void shouldRefuseWhenTheKernelIsBusy() throws Exception {
    try (RequestHandlerServer server = RequestHandlerServer.plain();
        RawHttpClient client = server.client()) {
      server.kernels.full = true;
      for (String path : List.of(SCHEDULE, "/v1/schedules")) {
        HttpReply reply = client.get(path);
        assertEquals(503, reply.status());
        assertTrue(reply.body().contains("kernel.inboxCapacity"), reply.body());
      }
    }
  }

  @Test
  void shouldMergeTheListsOfKernelsInTheOrderOfNames() throws Exception {
    RequestHandlerServer.Options options = new RequestHandlerServer.Options();
    options.kernels = 2;
    try (RequestHandlerServer server = new RequestHandlerServer(options);
        RawHttpClient client = server.client()) {
      server.kernels.byHand();
      client.send(RawHttpClient.request("GET", "/v1/schedules?limit=3", "", new byte[0]));
      Query.ListSchedules list = server.kernels.next(Query.ListSchedules.class);
      assertEquals(4, list.limit(), "one more tells whether there are more");
      assertNull(list.after());
      assertNull(list.paused());
      server.kernels.reply(list.replyTo(), page("b", "d"));
      server.kernels.reply(list.replyTo(), page("a", "c"));
      HttpReply reply = client.read();

      assertEquals(200, reply.status());
      assertEquals(List.of("a", "b", "c"), names(reply));
      String next = JSON.readTree(reply.body()).path("next").textValue();
      String link = reply.header("link");
      assertEquals("</v1/schedules?limit=3&cursor=" + next + ">; rel=\"next\"", link);

      String target = link.substring(1, link.indexOf('>'));
      client.send(RawHttpClient.request("GET", target, "", new byte[0]));
      Query.ListSchedules rest = server.kernels.next(Query.ListSchedules.class);
      assertEquals(new DefinitionName("test", "c"), rest.after());
      server.kernels.reply(rest.replyTo(), page("d"));
      server.kernels.reply(rest.replyTo(), page());
      HttpReply last = client.read();
      assertEquals(List.of("d"), names(last));
      assertFalse(JSON.readTree(last.body()).has("next"));
      assertFalse(last.headers().containsKey("link"));
    }
  }

  private static Reply.SchedulePage page(String... names) {
    return new Reply.SchedulePage(
        List.of(names).stream().map(name -> FakeSchedules.of(name, false, null)).toList());
  }

  private static List<String> names(HttpReply reply) throws Exception {
    return JSON.readTree(reply.body()).path("items").findValuesAsText("name");
  }

  @Test
  void shouldPassTheFilterOn() throws Exception {
    try (RequestHandlerServer server = RequestHandlerServer.plain();
        RawHttpClient client = server.client()) {
      server.kernels.byHand();
      String query = "?namespace=test&name=a&paused=true&limit=1";
      client.send(RawHttpClient.request("GET", "/v1/schedules" + query, "", new byte[0]));
      Query.ListSchedules list = server.kernels.next(Query.ListSchedules.class);
      assertEquals("test", list.namespace());
      assertEquals("a", list.name());
      assertEquals(true, list.paused());
      server.kernels.reply(list.replyTo(), page("a", "b"));
      assertTrue(client.read().header("link").contains("&namespace=test&name=a&paused=true&"));
    }
  }

  @Test
  void shouldRefuseFiltersThatMakeNoSense() throws Exception {
    try (RequestHandlerServer server = RequestHandlerServer.plain();
        RawHttpClient client = server.client()) {
      server.kernels.script =
          message ->
              server.kernels.reply(((Query.ListSchedules) message).replyTo(), page("a", "b"));
      HttpReply first = client.get("/v1/schedules?limit=1");
      String next = JSON.readTree(first.body()).path("next").textValue();
      for (String query : List.of("limit=0", "limit=x", "paused=yes", "pausd=true", "cursor=x")) {
        assertEquals(400, client.get("/v1/schedules?" + query).status(), query);
      }
      String other = "/v1/schedules?limit=1&paused=true&cursor=" + next;
      assertEquals(404, client.get(other).status(), "the cursor of another list");
      assertEquals(200, client.get("/v1/schedules?limit=1&cursor=" + next).status());
    }
  }

  @Test
  void shouldHaveAStateInEveryRunThatIsKnown() throws Exception {
    try (RequestHandlerServer server = RequestHandlerServer.plain();
        RawHttpClient client = server.client()) {
      for (InstanceState state : InstanceState.values()) {
        ScheduleView.ScheduledRun run =
            new ScheduleView.ScheduledRun(FakeKernels.ID, 1_000, 2_000, state);
        answer(server, new Reply.ScheduleFound(FakeSchedules.of("a", false, run)));
        JsonNode schedule = JSON.readTree(client.get(SCHEDULE).body());
        assertEquals(state.name(), schedule.at("/last/state").textValue());
      }
    }
  }
}

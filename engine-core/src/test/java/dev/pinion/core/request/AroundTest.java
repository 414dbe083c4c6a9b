package dev.pinion.core.request;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.model.ErrorType;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.WorkflowError;
import dev.pinion.core.request.RawClient.Reply;
import dev.pinion.core.spi.Around;
import java.util.List;
import org.junit.jupiter.api.Test;

class AroundTest {
  private static final String START = "/v1/namespaces/test/definitions/echo/instances";

  private static Served.Options around(Around around) {
    Served.Options options = new Served.Options();
    options.around = around;
    return options;
  }

  private static Payload wrapped(Around.Point point, Payload message) {
    return Payload.array(List.of(Payload.of(point.name()), message));
  }

  @Test
  void shouldChangeInputAndOutputOnTheLoopOrOnAnotherThread() throws Exception {
    Around here = (point, definition, message, then) -> then.proceed(wrapped(point, message));
    Around there =
        (point, definition, message, then) ->
            Thread.startVirtualThread(() -> then.proceed(wrapped(point, message)));
    for (Around around : List.of(here, there)) {
      try (Served served = new Served(around(around));
          RawClient client = served.client()) {
        Reply reply = client.post(START, "{\"input\":1}");
        assertTrue(
            reply.body().endsWith("\"output\":[\"PROCESS_OUT\",[\"PROCESS_IN\",1]]}"),
            reply.body());
      }
    }
  }

  @Test
  void shouldAnswerARefusalOnceAndNeverStart() throws Exception {
    WorkflowError error = WorkflowError.of(ErrorType.AUTHORIZATION, "not today");
    Around refusing =
        (point, definition, message, then) -> {
          then.refuse(error);
          then.proceed(message);
        };
    try (Served served = new Served(around(refusing));
        RawClient client = served.client()) {
      Reply reply = client.post(START, "{}");
      assertEquals(422, reply.status());
      assertTrue(reply.body().contains("not today"), reply.body());
      assertEquals(0, served.kernels.starts.get());
      assertEquals(200, client.get("/livez").status());
    }
  }

  @Test
  void shouldSurviveAFailingChain() throws Exception {
    Around failing =
        (point, definition, message, then) -> {
          throw new IllegalStateException("secret");
        };
    try (Served served = new Served(around(failing));
        RawClient client = served.client()) {
      assertEquals(500, client.post(START, "{}").status());
      assertEquals(0, served.handler.requests());
    }
  }
}

package dev.pinion.workloads.stub;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.codec.http.HttpMethod;
import java.io.IOException;
import java.util.Map;

/** The stub's own paths: {@code /__stats}, {@code /__reset}, {@code /__behaviour}. Not counted. */
final class StubControl {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final StubState state;

  StubControl(StubState state) {
    this.state = state;
  }

  ByteBuf answer(
      ByteBufAllocator allocator,
      HttpMethod method,
      String uri,
      byte[] body,
      int length,
      boolean close) {
    return switch (method.name() + " " + uri) {
      case "GET /__stats" -> json(allocator, state.counters().stats(), close);
      case "POST /__reset" -> {
        state.counters().reset();
        yield json(allocator, state.counters().stats(), close);
      }
      case "POST /__behaviour" -> behave(allocator, body, length, close);
      default -> {
        state.counters().onMalformed();
        yield json(
            allocator,
            404,
            Map.of(
                "error",
                "expected POST /svc/{service}, POST /echo, GET /__stats, POST /__reset or POST"
                    + " /__behaviour, found "
                    + method
                    + " "
                    + uri),
            close);
      }
    };
  }

  private ByteBuf behave(ByteBufAllocator allocator, byte[] body, int length, boolean close) {
    try {
      StubBehaviour script = StubBehaviour.parse(body, length, System.nanoTime());
      state.script(script);
      return json(allocator, script.behaviour(), close);
    } catch (IOException wrong) {
      return json(allocator, 400, Map.of("error", String.valueOf(wrong.getMessage())), close);
    }
  }

  private static ByteBuf json(ByteBufAllocator allocator, Object value, boolean close) {
    return json(allocator, 200, value, close);
  }

  private static ByteBuf json(ByteBufAllocator allocator, int status, Object value, boolean close) {
    try {
      return StubResponses.json(allocator, status, JSON.writeValueAsBytes(value), close);
    } catch (JsonProcessingException impossible) {
      throw new IllegalStateException("expected a value that JSON can hold", impossible);
    }
  }
}

package dev.pinion.handlers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import dev.pinion.core.model.DefinitionKey;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.WorkflowError;
import dev.pinion.core.spi.Around;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PassThroughTest {
  @ParameterizedTest
  @EnumSource
  void shouldLetEachMessageProceedOnceAndUnchanged(Around.Point point) {
    // given
    Payload message = Payload.of("a message");
    List<Payload> proceeded = new ArrayList<>();
    List<WorkflowError> refused = new ArrayList<>();

    // when
    new PassThrough()
        .handle(
            point,
            new DefinitionKey("default", "any", "1.0.0"),
            message,
            new Around.Continuation() {
              @Override
              public void proceed(Payload each) {
                proceeded.add(each);
              }

              @Override
              public void refuse(WorkflowError error) {
                refused.add(error);
              }
            });

    // then
    assertEquals(1, proceeded.size());
    assertSame(message, proceeded.getFirst());
    assertEquals(List.of(), refused);
  }
}

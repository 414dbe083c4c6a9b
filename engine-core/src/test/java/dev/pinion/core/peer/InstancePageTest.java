package dev.pinion.core.peer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.api.json.InstanceJson;
import dev.pinion.core.codec.PayloadCodec;
import dev.pinion.core.http.message.RequestJson;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.DefinitionKey;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.instance.CompensationStatus;
import dev.pinion.core.model.instance.InstanceState;
import dev.pinion.core.model.instance.InstanceView;
import dev.pinion.core.model.instance.ParentTask;
import dev.pinion.core.model.instance.Tags;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class InstancePageTest {
  private static final DefinitionKey KEY = new DefinitionKey("orders", "ship", "1.0.0");

  private final PayloadCodec codec = new PayloadCodec(EngineLimits.defaults().json());

  // Lists of a group had no business keys and labels of other replicas' instances.
  @Test
  void shouldReadEverythingThatAPageTells() throws Exception {
    List<InstanceView> views =
        List.of(
            view(4, InstanceState.RUNNING, Tags.NONE).startedBy(new ParentTask(id(2), "/do/0/a~1")),
            view(3, InstanceState.FAULTED, new Tags("order \"7\"", Map.of("a", "1", "b", "é"))),
            view(2, InstanceState.SUSPENDED, new Tags("", Map.of())),
            view(1, InstanceState.CANCELLED, new Tags(null, Map.of("a", ""))));

    assertEquals(views, page(views, null).instances());
  }

  @Test
  void shouldReadHowFarCompensationsAre() throws Exception {
    CompensationStatus status = new CompensationStatus(true, 3, 2, 1, List.of());
    List<InstanceView> views =
        List.of(view(1, InstanceState.RUNNING, Tags.NONE).compensating(status));

    assertEquals(views, page(views, null).instances());
  }

  @Test
  void shouldTellWhetherThereAreOlderOnes() throws Exception {
    assertTrue(page(List.of(), "i_1").more());
    assertFalse(page(List.of(), null).more());
  }

  private InstancePage page(List<InstanceView> views, @Nullable String next) throws Exception {
    ByteBuf out = Unpooled.buffer();
    new InstanceJson(new RequestJson(codec)).writePage(out, views, next, List.of());
    return InstancePage.read(codec.read(ByteBufUtil.getBytes(out), 0, out.readableBytes()));
  }

  private static InstanceView view(int number, InstanceState state, Tags tags) {
    long ended = state.isTerminal() ? 1_700_000_000_001L : 0;
    return new InstanceView(id(number), KEY, state, 1_700_000_000_000L, ended, 0, null, null, tags);
  }

  private static InstanceId id(int number) {
    return new InstanceId(number);
  }
}

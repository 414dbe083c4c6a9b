package dev.pinion.core.kernel.table;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.codec.ByteWriter;
import dev.pinion.core.model.DefinitionKey;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.instance.StartKey;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class StartKeyTableTest {
  private static final InstanceId FIRST = new InstanceId(1);
  private static final InstanceId SECOND = new InstanceId(2);

  private static final DefinitionKey DEFINITION = new DefinitionKey("test", "echo", "1.0.0");

  private final StartKeyTable keys = new StartKeyTable(2, 100);

  @Test
  void shouldFindAKeyWhateverItsBody() {
    keys.add(key("a", "1"), FIRST, DEFINITION, 0);

    StartKeyTable.KeyEntry found = keys.find(key("a", "2"));
    assertNotNull(found);
    assertEquals(FIRST, found.id());
    assertFalse(found.key().hasSameBody(key("a", "2")));
    assertTrue(found.key().hasSameBody(key("b", "1")));
    assertNull(keys.find(key("b", "1")));
  }

  @Test
  void shouldKeepTheFirstOfOneKey() {
    keys.add(key("a", "1"), FIRST, DEFINITION, 0);
    keys.add(key("a", "1"), SECOND, DEFINITION, 1);

    assertEquals(1, keys.all().size());
    assertEquals(FIRST, keys.all().getFirst().id());
  }

  @Test
  void shouldRememberNoMoreDefinitionsThanKeys() {
    for (int i = 0; i < 10; i++) {
      keys.add(key("a", "1"), FIRST, new DefinitionKey("test", "echo", "1.0." + i), 100L * i);
      keys.forget(100L * (i + 1), _ -> false);
    }
    assertEquals(0, keys.all().size());
    assertEquals(1, keys.definitions());
  }

  @Test
  void shouldForgetAfterItsTimeAndNotBefore() {
    keys.add(key("a", "1"), FIRST, DEFINITION, 0);
    keys.add(key("b", "1"), SECOND, DEFINITION, 1);
    assertTrue(keys.isFull());

    keys.forget(99, _ -> false);
    assertEquals(2, keys.all().size());
    keys.forget(100, _ -> false);
    assertEquals(List.of(SECOND), keys.all().stream().map(StartKeyTable.KeyEntry::id).toList());
    assertFalse(keys.isFull());
  }

  @Test
  void shouldKeepTheKeyOfAnInstanceThatIsUnderWay() {
    keys.add(key("a", "1"), FIRST, DEFINITION, 0);

    keys.forget(100, id -> id.equals(FIRST));
    assertNotNull(keys.find(key("a", "1")));
    keys.forget(199, _ -> false);
    assertNotNull(keys.find(key("a", "1")), "another period from the check on");
    keys.forget(200, _ -> false);
    assertNull(keys.find(key("a", "1")));
  }

  /** Field fault 18: keys in snapshots from before definitions were stored are read as well. */
  @Test
  void shouldReadItsFormInASnapshotAndTheOneOfBefore() {
    keys.add(key("a", "1"), FIRST, DEFINITION, 7);
    StartKeyTable.KeyEntry keyEntry = keys.all().getFirst();
    ByteWriter out = new ByteWriter();
    StartKeyCodec.write(keyEntry, out);
    byte[] written = out.toBytes();

    assertEquals(keyEntry, StartKeyCodec.read(written));
    StartKeyTable.KeyEntry older = StartKeyCodec.read(Arrays.copyOf(written, 6 * Long.BYTES));
    assertEquals(new StartKeyTable.KeyEntry(keyEntry.key(), FIRST, null, 7), older);
    byte[] cut = Arrays.copyOf(written, written.length - 1);
    assertThrows(IllegalArgumentException.class, () -> StartKeyCodec.read(cut));
  }

  /** A definition that comes from the disk with each of its keys is stored once. */
  @Test
  void shouldKeepEachDefinitionOnce() {
    keys.add(key("a", "1"), FIRST, DEFINITION, 0);
    keys.add(key("b", "1"), SECOND, new DefinitionKey("test", "echo", "1.0.0"), 0);

    assertEquals(2, keys.all().size());
    keys.all().forEach(each -> assertSame(DEFINITION, each.definition()));
  }

  @Test
  void shouldNotTakeARouteForAKey() {
    assertEquals(StartKey.of("r", "k", bytes("b")), StartKey.of("r", "k", bytes("b")));
    assertFalse(StartKey.of("r\nk", "k", bytes("")).hasSameKey(StartKey.of("r", "kk", bytes(""))));
    assertFalse(StartKey.of("rk", "", bytes("")).hasSameKey(StartKey.of("r", "k", bytes(""))));
  }

  private static StartKey key(String key, String body) {
    return StartKey.of("route", key, bytes(body));
  }

  private static ByteBuffer bytes(String text) {
    return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
  }
}

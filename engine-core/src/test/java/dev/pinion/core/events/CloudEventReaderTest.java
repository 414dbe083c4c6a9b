package dev.pinion.core.events;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.codec.PayloadCodec;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.Payload;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Objects that count as events, and as the same event. */
class CloudEventReaderTest {
  private static final EngineLimits LIMITS =
      EngineLimits.defaults().with(Map.of("events.maxAttributeChars", 64));
  private static final String GOOD =
      "'specversion':'1.0','source':'/crm','id':'1','type':'changed','subject':'a'";

  private static Payload json(String text) throws Exception {
    byte[] bytes = ("{" + text + "}").replace('\'', '"').getBytes(StandardCharsets.UTF_8);
    return new PayloadCodec(LIMITS.json()).read(bytes, 0, bytes.length);
  }

  private static ExternalEvent read(String text) throws Exception {
    return new CloudEventReader(LIMITS).read(List.of(json(text))).getFirst();
  }

  @Test
  void shouldReadAnEvent() throws Exception {
    ExternalEvent event =
        read(
            GOOD
                + ",'time':'2026-01-01t00:00:00Z','dataschema':'urn:x','dataschemaversion':null,"
                + "'datacontenttype':'application/vnd.x+json; charset=utf-8','flag':true,'n':3,"
                + "'data':[1]");
    assertEquals("/crm", event.source());
    assertEquals("1", event.id());
    assertEquals("changed", event.type());
    assertEquals("a", event.subject());
    assertEquals("[1]", String.valueOf(event.data()));
    assertNull(read(GOOD).data());
    assertNull(read(GOOD + ",'data':null").data());
  }

  @Test
  void shouldReadEventsForListenersThatAreNoRows() throws Exception {
    ExternalEvent bare = read(GOOD.replace(",'subject':'a'", "") + ",'data':1");
    assertNull(bare.subject());
    assertFalse(bare.hasRow());
    assertTrue(read(GOOD).hasRow(), "it takes the row away");
    ExternalEvent text = read(GOOD + ",'datacontenttype':'text/plain','data':'hi'");
    assertFalse(text.hasRow());
    assertEquals("\"hi\"", String.valueOf(text.event().member("data")));
    ExternalEvent binary = read(GOOD + ",'datacontenttype':'image/png','data_base64':'AA=='");
    assertFalse(binary.hasRow());
    assertEquals("AA==", binary.event().text("data_base64"));
    assertNotEquals(
        text.digest(), read(GOOD + ",'datacontenttype':'text/html','data':'hi'").digest());
  }

  @Test
  void shouldKeepTheEventWithoutWhatIsNull() throws Exception {
    ExternalEvent event = read(GOOD + ",'time':null,'n':3,'data':{'a':null}");
    assertEquals(json(GOOD + ",'n':3,'data':{'a':null}"), event.event());
  }

  @Test
  void shouldRefuseAnEventLargerThanTheJournalTakes() {
    EngineLimits small =
        LIMITS.with(Map.of("request.maxBodyBytes", 1 << 10, "definition.maxBytes", 1 << 10));
    String data = ",'data':'" + "x".repeat(2_000) + "'";
    var refused =
        assertThrows(
            CloudEventReader.MalformedException.class,
            () -> new CloudEventReader(small).read(List.of(json(GOOD + data))));
    assertTrue(
        String.valueOf(refused.getMessage()).contains("twice request.maxBodyBytes"),
        refused::toString);
  }

  /** Field fault 29: RFC 3339 has offsets and seconds that Java's classes lack. */
  @Test
  void shouldTakeEveryTimeOfRfc3339() throws Exception {
    for (String time : List.of("0117-01-28T01:11:55.1234567890+23:36", "2016-12-31T23:59:60Z")) {
      assertEquals("1", read(GOOD + ",'time':'" + time + "'").id());
    }
  }

  @Test
  void shouldTellTheSameEventInEveryModeFromAnother() throws Exception {
    String digest = read(GOOD + ",'n':3,'data':{'a':1}").digest();
    assertEquals(digest, read("'data':{'a':1},'n':'3'," + GOOD).digest());
    assertEquals(
        digest, read(GOOD + ",'n':3,'data':{'a':1},'datacontenttype':'application/json'").digest());
    assertNotEquals(digest, read(GOOD + ",'n':3,'data':{'a':2}").digest());
    assertNotEquals(digest, read(GOOD + ",'n':4,'data':{'a':1}").digest());
    assertNotEquals(digest, read(GOOD + ",'data':{'a':1}").digest());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '`',
      value = {
        "specversion; '1.0'; '1.1'",
        "specversion; 'specversion':'1.0',; ",
        "source; '/crm'; ''",
        "source; '/crm'; '%zz'",
        "id; 'id':'1',; ",
        "id; '1'; 1.5",
        "type; 'changed'; ['changed']",
        "subject; 'subject':'a'; 'subject':''",
        "time; 'subject'; 'time':'yesterday','subject'",
        "dataschema; 'subject'; 'dataschema':'a b','subject'",
        "datacontenttype; 'subject'; 'datacontenttype':3,'subject'",
        "data_base64; 'subject'; 'data_base64':'A','subject'",
        "data_base64; 'subject'; 'data_base64':7,'subject'",
        "both; 'subject'; 'data_base64':'AA==','data':1,'subject'",
        "a-b; 'subject'; 'a-b':'1','subject'",
        "events.maxAttributeChars; '/crm'; "
            + "'01234567890123456789012345678901234567890123456789012345678901234'",
        "control characters; '/crm'; 'a\\u0000'",
        "control characters; '/crm'; 'a\\ud800'"
      })
  void shouldRefuseWhatIsNone(String told, String part, String instead) {
    String text = GOOD.replace(part, instead == null ? "" : instead);
    var refused = assertThrows(CloudEventReader.MalformedException.class, () -> read(text), text);
    String message = Objects.requireNonNull(refused.getMessage());
    assertTrue(message.contains(told), message);
  }

  @Test
  void shouldTakeAttributesUpToTheirBound() throws Exception {
    String longest = "x".repeat(64);
    assertEquals(longest, read(GOOD.replace("/crm", longest)).source());
  }

  @Test
  void shouldNameTheEventOfABatch() throws Exception {
    List<Payload> batch = List.of(json(GOOD), json(""));
    var refused =
        assertThrows(
            CloudEventReader.MalformedException.class,
            () -> new CloudEventReader(LIMITS).read(batch));
    assertTrue(String.valueOf(refused.getMessage()).startsWith("event 1"), refused::toString);
  }
}

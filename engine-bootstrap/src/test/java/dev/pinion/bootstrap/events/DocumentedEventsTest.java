package dev.pinion.bootstrap.events;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.pinion.bootstrap.DocumentedSchema;
import dev.pinion.core.codec.PayloadCodec;
import dev.pinion.core.events.CloudEventReader;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.Payload;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Field fault 29: the schema of external events in the OpenAPI document matches the checks. */
class DocumentedEventsTest {
  private static final Map<String, Integer> BOUNDS = Map.of("events.maxAttributeChars", 64);
  private static final EngineLimits LIMITS = EngineLimits.defaults().with(BOUNDS);
  private static final String WHOLE =
      "'specversion':'1.0','id':'1','source':'/s','type':'t','subject':'u'";

  private static boolean reads(String json) throws Exception {
    byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
    Payload event = new PayloadCodec(LIMITS.json()).read(bytes, 0, bytes.length);
    try {
      var _ = new CloudEventReader(LIMITS).read(List.of(event));
      return true;
    } catch (CloudEventReader.MalformedException e) {
      return false;
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "true|'a':'b'|'a':'b'",
        "true|'source':'/s'|'source':'https://example.com/s?a#b'",
        "true|'a':'b'|'data':null,'time':'2030-01-31T12:00:00Z','dataschema':'/x'",
        "true|'a':'b'|'time':'0117-01-28T01:11:55.123456789+17:36'",
        "true|'a':'b'|'data':[1],'time':null,'dataschema':null,'datacontenttype':null",
        "true|'a':'b'|'extension':true,'other':7,'datacontenttype':'application/a+json'",
        "false|'id':'1'|'id':''",
        "false|'id':'1'|'id':1",
        "false|'id':'1'|'id':null",
        "false|'id':'1'|'x':1",
        "false|'id':'1'|'id':'a\\u0001'",
        "false|'specversion':'1.0'|'specversion':'0.3'",
        "false|'source':'/s'|'source':'a b'",
        "false|'source':'/s'|'source':'/\\u00fc'",
        "false|'type':'t'|'type':true",
        "false|'subject':'u'|'subject':''",
        "false|'a':'b'|'time':'yesterday'",
        "false|'a':'b'|'time':1",
        "false|'a':'b'|'time':'2030-02-30T12:00:00Z'",
        "false|'a':'b'|'time':'2030-01-31T12:00:00'",
        "true|'a':'b'|'datacontenttype':'text/plain','data':'hi'",
        "true|'a':'b'|'datacontenttype':'image/png','data_base64':'aGk='",
        "true|'subject':'u'|'x':1",
        "false|'a':'b'|'data_base64':1",
        "false|'a':'b'|'Upper':''",
        "false|'a':'b'|'x':{}",
        "false|'a':'b'|'x':1.5",
        "false|'a':'b'|'x':'12345678901234567890123456789012345678901234567890123456789012345'"
      })
  void shouldTellWhatEventsAre(boolean expected, String replaced, String by) throws Exception {
    String members = WHOLE.contains(replaced) ? WHOLE.replace(replaced, by) : WHOLE + ',' + by;
    String json = "{" + members.replace('\'', '"') + "}";
    assertEquals(expected, reads(json), json);
    assertEquals(expected, new DocumentedSchema("CloudEvent", BOUNDS).allows(json), json);
  }
}

package dev.pinion.bootstrap.history.publish;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.pinion.bootstrap.DocumentedSchema;
import dev.pinion.bootstrap.settings.SinkPolicy;
import dev.pinion.core.codec.PayloadCodec;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.Payload;
import dev.pinion.core.spi.Subscriptions.InvalidSubscriptionException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Field fault 29: the schema of subscriptions in the OpenAPI document matches the checks. */
class DocumentedSubscriptionsTest {
  private static final Map<String, Integer> BOUNDS = Map.of("publish.maxLeaseSeconds", 100_000);
  private static final EngineLimits LIMITS = EngineLimits.defaults().with(BOUNDS);

  private static boolean reads(String json) throws Exception {
    byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
    Payload wish = new PayloadCodec(LIMITS.json()).read(bytes, 0, bytes.length);
    try {
      var _ = new SubscriptionReader(LIMITS, SinkPolicy.DEFAULT).fromRequest(wish, "s_1", 1);
      return true;
    } catch (InvalidSubscriptionException e) {
      return false;
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "true|'sink':'http://localhost:1/a?b=c'",
        "true|'sink':'HTTPS://a-b.example.com'",
        "true|'sink':'http://10.0.0.7/%20'",
        "true|'sink':'http://[2001:db8::1]:80/'",
        "true|'sink':'http://a','types':['dev.pinion.notice'],'mode':'binary'",
        "true|'sink':'http://a','types':['io.serverlessworkflow.task.retried.v1']",
        "true|'sink':'http://a','types':['io.serverlessworkflow.workflow.correlation-started.v1']",
        "true|'sink':'http://a','types':['dev.pinion.task.suspended','dev.pinion.task.retried']",
        "false|'sink':'http://a','types':['io.serverlessworkflow.task.skipped.v1']",
        "false|'sink':'http://a','types':['io.serverlessworkflow.task.retried']",
        "true|'sink':'http://a','namespace':'n','definition':'d','mediaType':'text/plain'",
        "true|'sink':'http://a','leaseSeconds':100000,'transform':'.data'",
        "true|'sink':'http://a','leaseSeconds':60.0",
        "false|'sink':''",
        "false|'sink':'a'",
        "false|'sink':'ftp://a/'",
        "false|'sink':'http:///a'",
        "false|'sink':'http://a b/'",
        "false|'sink':'http://u@a/'",
        "false|'sink':'http://a/#f'",
        "false|'sink':'http://a/%2'",
        "false|'sink':1",
        "false|'types':[]",
        "false|'sink':'http://a','types':[]",
        "false|'sink':'http://a','types':['x']",
        "false|'sink':'http://a','types':'dev.pinion.notice'",
        "false|'sink':'http://a','namespace':''",
        "false|'sink':'http://a','namespace':null",
        "false|'sink':'http://a','definition':'a\\u0000'",
        "false|'sink':'http://a','mode':''",
        "false|'sink':'http://a','mediaType':'text'",
        "false|'sink':'http://a','leaseSeconds':0",
        "false|'sink':'http://a','leaseSeconds':100001",
        "false|'sink':'http://a','leaseSeconds':1.5",
        "false|'sink':'http://a','other':1"
      })
  void shouldTellWhatSubscriptionsAre(boolean expected, String members) throws Exception {
    String json = "{" + members.replace('\'', '"') + "}";
    assertEquals(expected, reads(json), json);
    assertEquals(expected, new DocumentedSchema("SubscriptionWish", BOUNDS).allows(json), json);
  }
}

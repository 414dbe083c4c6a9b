package dev.pinion.bootstrap.brokerd;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.pinion.bootstrap.DocumentedSchema;
import dev.pinion.broker.document.ContractReader;
import dev.pinion.broker.document.DocumentReading;
import dev.pinion.broker.document.RegistryReader;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Field fault 29: the schemas of the broker's documents in the OpenAPI document match the checks.
 */
class DocumentedBrokerTest {
  private static final String SERVICE =
      "'serves':['x'],'endpoint':'http://127.0.0.1:9','idempotent':true,'r':1,'d':0.9,'c':0";

  private static boolean allows(String schema, String json) throws Exception {
    return new DocumentedSchema(schema, Map.of()).allows(json);
  }

  private static byte[] bytes(String json) {
    return json.getBytes(StandardCharsets.UTF_8);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "true|'r':1|'r':0",
        "true|'r':1|'r':1000000000000",
        "true|'c':0|'c':1,'load':null,'from':null,'until':'2030-01-31T12:00:00Z'",
        "true|'c':0|'c':1,'load':0,'stateful':true,'async':false",
        "true|'c':0|'c':1,'mapping':{'path':'/a/{1}?{query}','headers':{'X-A':'b'},'answer':'.a'}",
        "true|:9'|:9/a/b'",
        "false|'r':1|'r':-1",
        "false|'r':1|'r':1000000000001",
        "false|'r':1|'r':'1'",
        "false|'d':0.9|'d':0",
        "false|'d':0.9|'d':1.1",
        "false|'c':0|'other':1,'c':1",
        "false|'c':0|'load':-1,'c':1",
        "false|'c':0|'from':'yesterday','c':1",
        "false|'c':0|'mapping':{'path':'a'},'c':1",
        "false|'c':0|'mapping':{'path':'/{no}'},'c':1",
        "false|'c':0|'mapping':{'headers':{'':'a'}},'c':1",
        "false|'c':0|'mapping':{'answer':''},'c':1",
        "false|['x']|[]",
        "false|['x']|['']",
        "false|['x']|['x','x']",
        "false|['x']|['.x']",
        "false|['x']|'x'",
        "false|'http://127.0.0.1:9'|''",
        "false|:9'|:9/'",
        "false|:9'|:9/a?b'",
        "false|http:|ftp:",
        "false|'idempotent':true|'idempotent':1"
      })
  void shouldTellWhatServicesAre(boolean expected, String replaced, String by) throws Exception {
    String json = ("{" + SERVICE.replace(replaced, by) + "}").replace('\'', '"');
    byte[] withId = ContractReader.withId("a", bytes(json));
    boolean reads =
        new RegistryReader(source -> null).service(withId) instanceof DocumentReading.Valid<?>;
    assertEquals(expected, reads, json);
    assertEquals(expected, allows("NewService", json), json);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "true|'class':'a','rate':1",
        "true|'class':'a','rate':0.1,'user':'u','from':'2030-01-31T12:00:00Z','until':null",
        "false|'class':'a'",
        "false|'class':'a','rate':0",
        "false|'class':'','rate':1",
        "false|'class':'a','rate':1,'user':''",
        "false|'class':'a','rate':1,'from':1",
        "false|'class':'a','rate':1,'other':1"
      })
  void shouldTellWhatContractsAre(boolean expected, String members) throws Exception {
    String json = ("{" + members + "}").replace('\'', '"');
    boolean reads = new ContractReader().sla("a", bytes(json)) instanceof DocumentReading.Valid<?>;
    assertEquals(expected, reads, json);
    assertEquals(expected, allows("NewSla", json), json);
  }
}

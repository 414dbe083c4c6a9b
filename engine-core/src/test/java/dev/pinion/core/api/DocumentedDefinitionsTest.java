package dev.pinion.core.api;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.pinion.core.http.message.MediaTypes;
import dev.pinion.core.language.CompilationResult;
import dev.pinion.core.language.WorkflowCompiler;
import dev.pinion.core.limits.EngineLimits;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Field fault 29: the schema of definitions in the OpenAPI document agrees with the compiler. */
class DocumentedDefinitionsTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String HEAD =
      "{'document':{'dsl':'1.0.3','namespace':'n','name':'d','version':'1.0.0'},";

  private static Schema schema;

  @BeforeAll
  static void read() throws IOException {
    try (RequestHandlerServer requestHandlerServer = RequestHandlerServer.plain();
        RawHttpClient client = requestHandlerServer.client()) {
      ObjectNode root = JSON.createObjectNode();
      root.set("components", JSON.readTree(client.get("/openapi.json").body()).path("components"));
      root.put("$ref", "#/components/schemas/NewDocument");
      schema =
          SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12).getSchema(root);
    }
  }

  private static CompilationResult compile(String text) {
    return new WorkflowCompiler(EngineLimits.defaults()).compile(text, MediaTypes.JSON);
  }

  private static void same(boolean expected, String definition) throws IOException {
    String text = definition.replace('\'', '"');
    JsonNode json = JSON.readTree(text);
    CompilationResult compiled = compile(text);
    assertEquals(expected, compiled instanceof CompilationResult.Compiled, () -> compiled + text);
    assertEquals(expected, schema.validate(json).isEmpty(), () -> schema.validate(json) + text);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "'set':{'a':1}",
        "'set':'${.}'",
        "'wait':'PT1S'",
        "'wait':{'seconds':1,'milliseconds':5},'timeout':{'after':'PT3S'}",
        "'raise':{'error':{'type':'https://example.com/x','status':500}}",
        "'do':[{'b':{'set':{'a':1}}}],'then':'end','if':'${true}','metadata':{}",
        "'for':{'in':'${.a}','each':'x','at':'i'},'while':'${true}','do':[{'b':{'set':{'a':1}}}]",
        "'fork':{'branches':[{'b':{'set':{'a':1}}}],'compete':true}",
        "'switch':[{'c':{'when':'${true}','then':'end'}},{'d':{'then':'exit'}}]",
        "'try':[{'b':{'set':{'a':1}}}],'catch':{'as':'e','do':[{'c':{'set':{'a':1}}}]}",
        "'call':'http','with':{'method':'get','endpoint':'http://127.0.0.1/'}",
        "'run':{'shell':{'command':'ls'},'return':'code'}",
        "'run':{'script':{'language':'js','code':'1'},'await':false}",
        "'run':{'container':{'image':'a'}}",
        "'set':{'a':1},'input':{'from':'${.}'},'output':{'as':{'a':1}},'export':{'as':'${.}'}"
      })
  void shouldTellWhatTasksAre(String task) throws IOException {
    same(true, HEAD + "'do':[{'a':{" + task + "}}]}");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "'set':1",
        "'set':{}",
        "'set':{'a':1},'wait':'PT1S'",
        "'set':{'a':1},'other':1",
        "'wait':{}",
        "'wait':{'weeks':1}",
        "'wait':{'seconds':-1}",
        "'raise':{}",
        "'do':[]",
        "'for':{'each':'x'},'do':[{'b':{'set':{'a':1}}}]",
        "'for':{'in':'${.a}'}",
        "'fork':{}",
        "'switch':[]",
        "'switch':[{'c':{}}]",
        "'try':[{'b':{'set':{'a':1}}}]",
        "'call':1",
        "'run':{}",
        "'run':{'shell':{'command':'ls'},'script':{'language':'js','code':'1'}}",
        "'run':{'shell':{'command':'ls'},'return':'output'}",
        "'set':{'a':1},'timeout':{}",
        "'set':{'a':1},'timeout':''",
        "'set':{'a':1},'if':1",
        "'set':{'a':1},'input':{'as':'${.}'}",
        "'set':{'a':1},'output':{'from':'${.}'}"
      })
  void shouldTellWhatTasksAreNot(String task) throws IOException {
    same(false, HEAD + "'do':[{'a':{" + task + "}}]}");
  }

  @Test
  void shouldTellWhatHeadsAre() throws IOException {
    String rest = "},'do':[{'a':{'set':{'a':1}}}]";
    String whole =
        "{'document':{'dsl':'1.0.3','namespace':'n','name':'d-1','version':'1.0.0-a.1+b'";
    same(true, whole + ",'title':'t','summary':'s','tags':{},'metadata':{}" + rest + "}");
    same(true, whole + rest + ",'use':{'errors':{}},'evaluate':{'language':'jq'}}");
    same(
        true,
        whole
            + rest
            + ",'use':{'authentications':{},'catalogs':{},'extensions':[],'functions':{},'secrets':"
            + "['a.b']},'evaluate':{'mode':'loose'}}");
    same(false, whole + rest + ",'use':{'secrets':['.a']}}");
    same(false, whole + rest + ",'use':{'functions':[]}}");
    same(false, whole + rest + ",'use':{'extensions':{'a':{}}}}");
    same(false, whole + rest + ",'evaluate':{'mode':'lose'}}");
    same(false, whole + ",'other':1" + rest + "}");
    same(false, whole + rest + ",'other':1}");
    same(false, whole + rest + ",'evaluate':{'language':'js'}}");
    same(false, whole + "},'do':[]}");
    same(false, whole + "},'do':[{}]}");
    same(false, whole + "}}");
    List<String> wrong = List.of("'1.0.3'", "'n'", "'d-1'", "'1.0.0-a.1+b'");
    for (String value : wrong) {
      same(false, whole.replace(value, "''") + rest + "}");
      same(false, whole.replace(value, "'-a'") + rest + "}");
      same(false, whole.replace(value, "1") + rest + "}");
    }
  }
}

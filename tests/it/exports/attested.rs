//! in-toto Statements: what they say, that the libraries of in-toto and DSSE take them, and who signed them.

use super::{python, stages};
use crate::harness::{Output, Repo, World, project};
use git_rapid::domain::json::{self, Value};

/// Reads each line as strictly as the published definitions do: an unknown or misspelt member is a fault.
const VALIDATE: &str = r#"
import json, sys
from google.protobuf import json_format
from in_toto_attestation.v1.statement import Statement
from in_toto_attestation.v1 import resource_descriptor_pb2, statement_pb2
from in_toto_attestation.v1.resource_descriptor import ResourceDescriptor
from in_toto_attestation.predicates.test_result.v0 import test_result_pb2
from in_toto_attestation.predicates.vsa.v1 import vsa_pb2

kinds = {
    "https://in-toto.io/attestation/test-result/v0.1": test_result_pb2.TestResult,
    "https://slsa.dev/verification_summary/v1": vsa_pb2.VerificationSummary,
}
for line in open(sys.argv[1]):
    document = json.loads(line)
    message = json_format.Parse(line, statement_pb2.Statement())
    statement = Statement.copy_from_pb(message)
    statement.validate()
    if statement.pb.predicate_type.startswith("https://slsa.dev/"):
        # A list in the specification, and one text in the library's definition.
        levels = document["predicate"].pop("verifiedLevels")
        assert levels and all(isinstance(level, str) and not level.startswith("SLSA_") for level in levels)
    predicate = document["predicate"]
    json_format.ParseDict(predicate, kinds[statement.pb.predicate_type]())
    named = predicate.get("configuration", []) + predicate.get("inputAttestations", []) + [predicate.get("policy")]
    for descriptor in filter(None, named):
        descriptor = json_format.ParseDict(descriptor, resource_descriptor_pb2.ResourceDescriptor())
        ResourceDescriptor.copy_from_pb(descriptor).validate()
    print(statement.pb.predicate_type)
"#;

/// Takes each envelope apart, and writes the bytes that are signed and the signature to files.
const OPEN: &str = r#"
import base64, json, sys
from securesystemslib.dsse import Envelope
for number, line in enumerate(open(sys.argv[1])):
    envelope = Envelope.from_dict(json.loads(line))
    assert envelope.payload_type == "application/vnd.in-toto+json"
    open(f"message-{number}", "wb").write(envelope.pae())
    [signature] = envelope.signatures.values() if isinstance(envelope.signatures, dict) else envelope.signatures
    open(f"message-{number}.sig", "wb").write(bytes.fromhex(signature.signature))
    open(f"payload-{number}", "wb").write(envelope.payload)
    print(signature.keyid)
"#;

fn statements(repo: &Repo, arguments: &[&str]) -> Vec<Value> {
    let out = repo.git_rapid(&[&["export", "--format", "in-toto"], arguments].concat()).ok();
    out.stdout.lines().map(|line| json::parse(line.as_bytes()).unwrap()).collect()
}

fn text<'a>(value: &'a Value, path: &[&str]) -> Option<&'a str> {
    path.iter().try_fold(value, |value, key| value.get(key))?.as_text()
}

#[test]
fn the_verdict_and_each_check_are_said_of_their_trees() {
    let Some(repo) = stages::passed() else { return };
    let all = statements(&repo, &[]);
    let (summaries, results): (Vec<_>, Vec<_>) =
        all.iter().partition(|statement| text(statement, &["predicateType"]).unwrap().starts_with("https://slsa.dev/"));
    let [summary] = summaries.as_slice() else { panic!("one summary: {all:?}") };
    let (tree, commit) = (repo.git(&["rev-parse", "HEAD^{tree}"]), repo.git(&["rev-parse", "HEAD"]));
    let subject = |name: &str, kind: &str, id: &str| {
        Value::object([("name", name.into()), ("digest", Value::object([(kind, id.into())]))])
    };
    assert_eq!(
        summary.get("subject").unwrap(),
        &Value::list([subject("tree", "gitTree", &tree), subject("commit", "gitCommit", &commit)])
    );
    assert_eq!(text(summary, &["predicate", "verificationResult"]), Some("PASSED"));
    assert_eq!(summary.get("predicate").unwrap().get("verifiedLevels").unwrap(), &Value::list(["GIT_RAPID_PASS"]));
    // The policy's digest is that of the file that its name ends in.
    let policy = repo.bytes_of(&repo.record("terms/policy.json"));
    let digest = git_rapid::domain::digest::Digest::of(&policy).to_string();
    assert_eq!(text(summary, &["predicate", "policy", "digest", "sha256"]), Some(digest.as_str()));
    let inputs = summary.get("predicate").unwrap().get("inputAttestations").unwrap().as_list().unwrap();
    let records = repo.records().into_iter().filter(|path| path.contains("/evidence/")).count();
    assert_eq!(inputs.len(), records);
    for input in inputs {
        let (_, path) = text(input, &["uri"]).unwrap().split_once("/runs/").unwrap();
        let digest = git_rapid::domain::digest::Digest::of(&repo.bytes_of(&format!("runs/{path}"))).to_string();
        assert_eq!(text(input, &["digest", "sha256"]), Some(digest.as_str()), "{path}");
    }
    assert!(results.len() >= 2, "the baseline and the task: {all:?}");
    assert!(results.iter().any(|result| result.get("subject").unwrap().canonical().contains(&tree)));
    // The project's tests say no numbers: they ended with 0, and that is all that is known.
    assert!(results.iter().all(|result| text(result, &["predicate", "result"]) == Some("WARNED")), "{results:?}");
}

#[test]
fn what_failed_is_said_to_have_failed_and_what_proves_nothing_is_not_said() {
    let repo = stages::failed();
    let all = statements(&repo, &[]);
    let results: Vec<_> = all.iter().map(|statement| text(statement, &["predicate", "result"]).unwrap()).collect();
    assert_eq!(results, ["WARNED", "FAILED"], "the baseline, and the check; no final tree, so no summary");
    let world = World::new();
    let empty = project(&world, "work");
    empty.write(".rapid/config.toml", "test_command = [\"sh\", \"-c\", \"echo 1..0\"]\n");
    empty.commit("no tests");
    empty.git_rapid(&["start", "feature", "--title", "Nothing", "--task", "None"]).ok();
    empty.git_rapid(&["export", "--format", "in-toto"]).ends(1).names("RAPID1752");
}

#[test]
fn the_libraries_of_in_toto_take_every_statement() {
    let Some(repo) = stages::passed() else { return };
    let world = repo.world();
    if !python::has(world, &["in_toto_attestation"]) {
        return;
    }
    repo.git_rapid(&["export", "--format", "in-toto", "-o", "run.intoto.jsonl"]).ok();
    let file = repo.path().join("run.intoto.jsonl");
    let said = python::run(world, VALIDATE, &[file.to_str().unwrap()]).ok();
    assert!(said.stdout.lines().count() >= 3, "{said}");
    // The check checks: a member that no definition has is refused.
    let odd = std::fs::read_to_string(&file).unwrap().replace("\"result\":", "\"results\":");
    std::fs::write(&file, odd).unwrap();
    assert_ne!(python::run(world, VALIDATE, &[file.to_str().unwrap()]).code, 0);
}

/// What is signed is DSSE's encoding as another implementation has it, and ssh-keygen holds the signature for good.
#[test]
fn a_signed_statement_is_an_envelope_that_others_can_verify() {
    let Some(team) = stages::signed() else { return };
    let world = team.repo.world();
    let all = statements(&team.repo, &[]);
    let summary = all.iter().find(|statement| statement.canonical().contains("verification_summary")).unwrap();
    let levels = summary.get("predicate").unwrap().get("verifiedLevels").unwrap();
    assert_eq!(levels, &Value::list(["GIT_RAPID_PASS_SIGNED"]));
    team.repo
        .git_rapid(&["export", "--format", "in-toto", "--sign", "-o", "run.intoto.jsonl"])
        .ok()
        .says("signing 1 of");
    if !python::has(world, &["securesystemslib.dsse", "in_toto_attestation"]) {
        return;
    }
    let file = team.repo.path().join("run.intoto.jsonl");
    let keys = python::run(world, OPEN, &[file.to_str().unwrap()]).ok();
    let fingerprint = Output::of(world.command("ssh-keygen", world.top()).arg("-lf").arg(team.key_file("ada"))).ok();
    std::fs::write(world.path("signers"), format!("ada@example.com {}\n", team.public_key("ada", "ed25519"))).unwrap();
    assert_eq!(keys.stdout.lines().count(), all.len());
    for (number, key) in keys.stdout.lines().enumerate() {
        assert!(fingerprint.stdout.contains(key) && key.starts_with("SHA256:"), "{key} is in {fingerprint}");
        let verify = |namespace: &str| {
            let line = format!(
                "ssh-keygen -Y verify -f signers -I ada@example.com -n {namespace} -s message-{number}.sig < message-{number}"
            );
            Output::of(world.command("sh", world.top()).args(["-c", &line]))
        };
        let _ = verify("attestation@git-rapid").ok();
        assert_ne!(verify("approval@git-rapid").code, 0, "it stands for no approval");
        let payload = world.path(&format!("payload-{number}"));
        let _ = python::run(world, VALIDATE, &[payload.to_str().unwrap()]).ok();
    }
    team.repo.git(&["config", "user.signingKey", "/nowhere"]);
    team.repo.git_rapid(&["export", "--format", "in-toto", "--sign"]).ends(2).names("RAPID1445");
}

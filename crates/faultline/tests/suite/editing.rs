//! The language server, as an editor uses it: one that this file is.

use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

use serde_json::{Value, json};

use crate::process::{faultline, root};

struct Client {
    server: Child,
    stdin: ChildStdin,
    stdout: BufReader<ChildStdout>,
    next: i64,
}

impl Client {
    fn start() -> Client {
        let mut server = faultline(["lsp", "--timeout", "60s"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit())
            .spawn()
            .expect("the server starts");
        let (stdin, stdout) = (server.stdin.take().unwrap(), BufReader::new(server.stdout.take().unwrap()));
        let mut client = Client { server, stdin, stdout, next: 0 };
        let capabilities = json!({ "window": { "workDoneProgress": true } });
        let answer =
            client.ask("initialize", json!({ "processId": null, "rootUri": null, "capabilities": capabilities }));
        assert_eq!(answer["capabilities"]["hoverProvider"], true);
        client.tell("initialized", json!({}));
        client
    }

    fn send(&mut self, message: &Value) {
        let text = message.to_string();
        write!(self.stdin, "Content-Length: {}\r\n\r\n{text}", text.len()).expect("the server listens");
        self.stdin.flush().expect("the server listens");
    }

    fn tell(&mut self, method: &str, parameters: Value) {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": parameters }));
    }

    fn receive(&mut self) -> Value {
        let mut length = 0;
        loop {
            let mut line = String::new();
            let count = self.stdout.read_line(&mut line).expect("the server answers");
            assert!(count > 0, "the server has gone");
            match line.trim().strip_prefix("Content-Length: ") {
                Some(number) => length = number.parse().expect("the length is a number"),
                None if line.trim().is_empty() => break,
                None => {}
            }
        }
        let mut bytes = vec![0; length];
        self.stdout.read_exact(&mut bytes).expect("the message is as long as it says");
        serde_json::from_slice(&bytes).expect("messages are JSON")
    }

    fn ask(&mut self, method: &str, parameters: Value) -> Value {
        self.next += 1;
        let id = self.next;
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": parameters }));
        loop {
            let message = self.receive();
            if message["id"] == id && message.get("method").is_none() {
                assert!(message.get("error").is_none(), "{message}");
                return message["result"].clone();
            }
        }
    }

    /// The next diagnostics of a file, and what was told on the way.
    fn diagnostics(&mut self, url: &str) -> (Vec<Value>, Vec<Value>) {
        let mut before = Vec::new();
        loop {
            let message = self.receive();
            if message["method"] == "textDocument/publishDiagnostics" && message["params"]["uri"] == url {
                return (message["params"]["diagnostics"].as_array().expect("a list").clone(), before);
            }
            before.push(message);
        }
    }

    fn open(&mut self, path: &Path) -> String {
        let url = format!("file://{}", path.display());
        let text = std::fs::read_to_string(path).expect("the file can be read");
        let document = json!({ "uri": url, "languageId": "c", "version": 1, "text": text });
        self.tell("textDocument/didOpen", json!({ "textDocument": document }));
        url
    }

    fn stop(mut self) {
        self.ask("shutdown", Value::Null);
        self.tell("exit", Value::Null);
        assert!(self.server.wait().expect("the server ends").success());
    }
}

#[test]
fn an_editor_shows_the_fault_and_mends_it() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let file = folder.path().join("queue.c");
    std::fs::copy(root().join("examples/queue.c"), &file).expect("the example can be copied");
    let mut client = Client::start();
    let url = client.open(&file);
    let (diagnostics, before) = client.diagnostics(&url);
    assert!(before.iter().any(|it| it["params"]["value"]["kind"] == "begin"), "{before:?}");
    let error = &diagnostics[0];
    assert_eq!((&error["severity"], &error["source"]), (&json!(1), &json!("faultline")));
    let suspect = &diagnostics[1];
    assert_eq!(error["relatedInformation"][0]["location"]["range"], suspect["range"], "{diagnostics:#?}");
    let text = std::fs::read_to_string(&file).expect("the file can be read");
    let marked = text.lines().position(|line| line.contains("// fault")).expect("the example marks its fault");
    assert_eq!(suspect["range"]["start"]["line"], marked);

    let document = json!({ "uri": url });
    let hover =
        client.ask("textDocument/hover", json!({ "textDocument": document, "position": suspect["range"]["start"] }));
    assert!(hover["contents"]["value"].as_str().is_some_and(|it| it.contains("Suspect 1")), "{hover}");

    let asked = json!({ "textDocument": document, "range": suspect["range"], "context": { "diagnostics": [] } });
    let actions = client.ask("textDocument/codeAction", asked.clone());
    let edit = &actions[0]["edit"]["changes"][&url][0];
    let mended = apply(&text, edit);
    assert_ne!(mended, text);

    // Edited and not yet saved: no patch fits.
    let version = json!({ "uri": url, "version": 2 });
    client.tell("textDocument/didChange", json!({ "textDocument": version, "contentChanges": [{ "text": mended }] }));
    assert_eq!(client.ask("textDocument/codeAction", asked), Value::Null);

    std::fs::write(&file, mended).expect("the file can be written");
    client.tell("textDocument/didSave", json!({ "textDocument": document }));
    let (diagnostics, _) = client.diagnostics(&url);
    assert!(diagnostics.is_empty(), "{diagnostics:#?}");
    client.stop();
}

/// One change within a line.
fn apply(text: &str, edit: &Value) -> String {
    let number = |value: &Value| value.as_u64().expect("a number") as usize;
    let (start, end) = (&edit["range"]["start"], &edit["range"]["end"]);
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let line = &mut lines[number(&start["line"])];
    assert_eq!(start["line"], end["line"]);
    line.replace_range(
        number(&start["character"])..number(&end["character"]),
        edit["newText"].as_str().expect("a text"),
    );
    lines.join("\n") + "\n"
}

#[test]
fn what_cannot_be_explained_is_told_and_nothing_ends() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let broken = folder.path().join("broken.c");
    std::fs::write(&broken, "int main(void) { return 1 +; }\n").expect("the file can be written");
    let mut client = Client::start();
    let url = client.open(&broken);
    let (diagnostics, before) = client.diagnostics(&url);
    assert!(diagnostics.is_empty());
    let logged = before.iter().find(|it| it["method"] == "window/logMessage").expect("the editor is told why");
    assert!(logged["params"]["message"].as_str().is_some_and(|it| it.contains("expected expression")), "{logged}");
    client.tell("textDocument/didOpen", json!({ "nonsense": true }));
    let endless = folder.path().join("endless.c");
    std::fs::write(&endless, "int main(void) { for (volatile int i = 0;;) i ^= 1; }\n")
        .expect("the file can be written");
    let url = client.open(&endless);
    client.tell("textDocument/didClose", json!({ "textDocument": { "uri": url } }));
    client.stop();
}

//! `faultline lsp`: a language server. Editors show the failure and the suspects with their reasons, and offer patches.
//!
//! A file that is opened or saved is explained as it is on disk, by a process of its own ([`worker`]), so that a newer
//! version, a closed file or the end of the session stops it at once. After an edit the diagnostics stay, since editors
//! move them along, but patches and reasons come back only when the file was saved and explained: they fit no other text.

mod worker;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use anyhow::{Context, Result};
use lsp_server::{Connection, ErrorCode, Message, Notification, Request, RequestId, Response};
use lsp_types::notification::{self, Notification as _};
use lsp_types::request::{self, Request as _};
use lsp_types::{
    CodeActionKind, CodeActionOptions, CodeActionOrCommand, CodeActionParams, CodeActionProviderCapability,
    DidChangeTextDocumentParams, DidCloseTextDocumentParams, DidOpenTextDocumentParams, DidSaveTextDocumentParams,
    HoverParams, HoverProviderCapability, InitializeParams, LogMessageParams, MessageType, NumberOrString,
    ProgressParams, ProgressParamsValue, PublishDiagnosticsParams, SaveOptions, ServerCapabilities,
    TextDocumentSyncCapability, TextDocumentSyncKind, TextDocumentSyncOptions, TextDocumentSyncSaveOptions, Url,
    WorkDoneProgress, WorkDoneProgressBegin, WorkDoneProgressCreateParams, WorkDoneProgressEnd,
};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::Ending;
use worker::{Explained, Worker};

pub fn run(options: Vec<String>) -> Result<Ending> {
    let (connection, threads) = Connection::stdio();
    let offered = serde_json::to_value(capabilities())?;
    let parameters =
        connection.initialize(offered).context("the editor does not speak the Language Server Protocol")?;
    let parameters: InitializeParams = serde_json::from_value(parameters).context("the editor's first message")?;
    let window = parameters.capabilities.window;
    let server = Server {
        sender: connection.sender.clone(),
        options,
        shows_progress: window.and_then(|it| it.work_done_progress).unwrap_or(false),
        files: Arc::default(),
    };
    for message in &connection.receiver {
        match message {
            Message::Request(request) if connection.handle_shutdown(&request)? => break,
            Message::Request(request) => server.answer(request),
            Message::Notification(notification) => server.notice(notification),
            Message::Response(_) => {}
        }
    }
    // Stops what is under way.
    server.files().clear();
    drop((server, connection));
    threads.join().context("the editor has gone")?;
    Ok(Ending::NothingWrong)
}

fn capabilities() -> ServerCapabilities {
    let sync = TextDocumentSyncOptions {
        open_close: Some(true),
        change: Some(TextDocumentSyncKind::INCREMENTAL),
        save: Some(TextDocumentSyncSaveOptions::SaveOptions(SaveOptions { include_text: Some(false) })),
        ..TextDocumentSyncOptions::default()
    };
    let actions =
        CodeActionOptions { code_action_kinds: Some(vec![CodeActionKind::QUICKFIX]), ..CodeActionOptions::default() };
    ServerCapabilities {
        text_document_sync: Some(TextDocumentSyncCapability::Options(sync)),
        hover_provider: Some(HoverProviderCapability::Simple(true)),
        code_action_provider: Some(CodeActionProviderCapability::Options(actions)),
        ..ServerCapabilities::default()
    }
}

/// A file that an editor has open.
#[derive(Default)]
struct Open {
    /// How often it was explained; what an older process says does not count.
    number: u32,
    worker: Option<Worker>,
    explained: Option<Explained>,
    /// It was edited since.
    is_edited: bool,
    /// The files that have diagnostics because of this one.
    told: Vec<Url>,
}

#[derive(Clone)]
struct Server {
    sender: crossbeam_channel::Sender<Message>,
    /// For `explain`.
    options: Vec<String>,
    shows_progress: bool,
    files: Arc<Mutex<BTreeMap<Url, Open>>>,
}

impl Server {
    fn files(&self) -> MutexGuard<'_, BTreeMap<Url, Open>> {
        self.files.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn answer(&self, request: Request) {
        let Request { id, method, params } = request;
        let response = match method.as_str() {
            request::HoverRequest::METHOD => respond(id, params, |it: HoverParams| {
                let at = it.text_document_position_params;
                self.with_fresh(&at.text_document.uri, |explained| {
                    explained.editor().hover(&at.text_document.uri, at.position)
                })
            }),
            request::CodeActionRequest::METHOD => respond(id, params, |it: CodeActionParams| {
                let url = it.text_document.uri;
                let actions = self.with_fresh(&url, |explained| Some(explained.editor().actions(&url, it.range)));
                actions.map(|all| all.into_iter().map(CodeActionOrCommand::CodeAction).collect::<Vec<_>>())
            }),
            _ => Response::new_err(id, ErrorCode::MethodNotFound as i32, format!("`{method}` is not offered")),
        };
        self.send(response.into());
    }

    /// Asks what is known about a file, unless it was edited since.
    fn with_fresh<T>(&self, url: &Url, ask: impl Fn(&Explained) -> Option<T>) -> Option<T> {
        let files = self.files();
        if files.get(url).is_some_and(|file| file.is_edited) {
            return None;
        }
        // A file may be suspected because of another one that is open.
        let own = files.get(url).into_iter();
        let others = files.values().filter(|file| file.told.contains(url));
        own.chain(others).filter_map(|file| file.explained.as_ref()).find_map(ask)
    }

    fn notice(&self, notification: Notification) {
        let Notification { method, params } = notification;
        match method.as_str() {
            notification::DidOpenTextDocument::METHOD => {
                if let Some(it) = read::<DidOpenTextDocumentParams>(params) {
                    self.explain(it.text_document.uri);
                }
            }
            notification::DidSaveTextDocument::METHOD => {
                if let Some(it) = read::<DidSaveTextDocumentParams>(params) {
                    self.explain(it.text_document.uri);
                }
            }
            notification::DidChangeTextDocument::METHOD => {
                if let Some(it) = read::<DidChangeTextDocumentParams>(params) {
                    self.files().entry(it.text_document.uri).or_default().is_edited = true;
                }
            }
            notification::DidCloseTextDocument::METHOD => {
                if let Some(it) = read::<DidCloseTextDocumentParams>(params) {
                    let closed = self.files().remove(&it.text_document.uri);
                    closed.into_iter().flat_map(|file| file.told).for_each(|url| self.publish(url, Vec::new()));
                }
            }
            _ => {}
        }
    }

    /// Begins to explain a file, instead of what was under way for it.
    fn explain(&self, url: Url) {
        let Ok(path) = url.to_file_path() else { return };
        let mut files = self.files();
        let file = files.entry(url.clone()).or_default();
        file.number += 1;
        file.is_edited = false;
        let number = file.number;
        let (server, of) = (self.clone(), url.clone());
        let token = NumberOrString::String(format!("faultline/{number}/{url}"));
        self.begin_progress(&token, &path);
        let done = move |result| {
            server.end_progress(token);
            server.explained(&of, number, result);
        };
        file.worker = match Worker::start(path, &self.options, done) {
            Ok(worker) => Some(worker),
            Err(error) => {
                self.log(MessageType::ERROR, format!("{error:#}"));
                None
            }
        };
    }

    /// Tells what a process found, unless it is out of date.
    fn explained(&self, url: &Url, number: u32, result: Result<Option<Explained>>) {
        let mut files = self.files();
        let Some(file) = files.get_mut(url).filter(|file| file.number == number) else { return };
        let before = std::mem::take(&mut file.told);
        file.explained = match result {
            Ok(explained) => explained,
            Err(error) => {
                self.log(MessageType::WARNING, format!("{error:#}"));
                None
            }
        };
        let diagnostics = file.explained.as_ref().map(|it| it.editor().diagnostics()).unwrap_or_default();
        file.told = diagnostics.keys().cloned().collect();
        for old in before.into_iter().filter(|old| !file.told.contains(old)) {
            self.publish(old, Vec::new());
        }
        // An editor that waits for the file hears even that there is nothing.
        if !file.told.contains(url) {
            self.publish(url.clone(), Vec::new());
        }
        diagnostics.into_iter().for_each(|(url, all)| self.publish(url, all));
    }

    fn publish(&self, uri: Url, diagnostics: Vec<lsp_types::Diagnostic>) {
        self.notify::<notification::PublishDiagnostics>(PublishDiagnosticsParams { uri, diagnostics, version: None });
    }

    fn log(&self, typ: MessageType, message: String) {
        self.notify::<notification::LogMessage>(LogMessageParams { typ, message });
    }

    fn begin_progress(&self, token: &NumberOrString, path: &Path) {
        if !self.shows_progress {
            return;
        }
        let parameters = WorkDoneProgressCreateParams { token: token.clone() };
        let id = RequestId::from(format!("{token:?}"));
        self.send(Request::new(id, request::WorkDoneProgressCreate::METHOD.to_owned(), parameters).into());
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let begin = WorkDoneProgressBegin { title: format!("explaining {name}"), ..WorkDoneProgressBegin::default() };
        self.progress(token.clone(), WorkDoneProgress::Begin(begin));
    }

    fn end_progress(&self, token: NumberOrString) {
        if self.shows_progress {
            self.progress(token, WorkDoneProgress::End(WorkDoneProgressEnd::default()));
        }
    }

    fn progress(&self, token: NumberOrString, value: WorkDoneProgress) {
        let value = ProgressParamsValue::WorkDone(value);
        self.notify::<notification::Progress>(ProgressParams { token, value });
    }

    fn notify<N: notification::Notification<Params: Serialize>>(&self, parameters: N::Params) {
        self.send(Notification::new(N::METHOD.to_owned(), parameters).into());
    }

    /// An editor that has gone needs no message.
    fn send(&self, message: Message) {
        let _ = self.sender.send(message);
    }
}

fn respond<P: DeserializeOwned, R: Serialize>(
    id: RequestId,
    parameters: serde_json::Value,
    answer: impl FnOnce(P) -> R,
) -> Response {
    match serde_json::from_value(parameters) {
        Ok(parameters) => Response::new_ok(id, answer(parameters)),
        Err(error) => Response::new_err(id, ErrorCode::InvalidParams as i32, error.to_string()),
    }
}

/// What a notification says; one that says nothing sensible is passed over, as the protocol has no answer to it.
fn read<P: DeserializeOwned>(parameters: serde_json::Value) -> Option<P> {
    serde_json::from_value(parameters).ok()
}
